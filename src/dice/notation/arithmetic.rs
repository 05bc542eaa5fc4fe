//! Checked arithmetic on whole numbers of 64 bits.

use super::error::{NotationError, NotationErrorKind};
use super::tree::{Arithmetic, Span};

type Answer = Result<i64, NotationError>;

/// The error of a number that does not fit.
#[cold]
pub(crate) fn overflow(span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::Overflow, span, "the result does not fit 64 bits")
}

#[cold]
fn by_zero(span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::DivisionByZero, span, "division by zero").suggest("max(1, …)", "never is 0")
}

#[inline]
pub(crate) fn add(left: i64, right: i64, span: Span) -> Answer {
    left.checked_add(right).ok_or_else(|| overflow(span))
}

#[inline]
pub(crate) fn subtract(left: i64, right: i64, span: Span) -> Answer {
    left.checked_sub(right).ok_or_else(|| overflow(span))
}

pub(crate) fn negate(value: i64, span: Span) -> Answer {
    value.checked_neg().ok_or_else(|| overflow(span))
}

/// Applies an operator. `/` rounds down, `/^` up, `%` has the sign of the divisor.
pub(crate) fn apply(operator: Arithmetic, left: i64, right: i64, span: Span) -> Answer {
    match operator {
        Arithmetic::Add => add(left, right, span),
        Arithmetic::Subtract => subtract(left, right, span),
        Arithmetic::Multiply => left.checked_mul(right).ok_or_else(|| overflow(span)),
        _ if right == 0 => Err(by_zero(span)),
        Arithmetic::Modulo => {
            // The least number divided by -1 overflows, its remainder does not.
            let remainder = left.wrapping_rem(right);
            Ok(if remainder != 0 && (remainder < 0) != (right < 0) { remainder + right } else { remainder })
        }
        Arithmetic::DivideNearest => {
            let (left, right) = (i128::from(left), i128::from(right));
            // A half more, rounded down.
            let nearest = ((2 * left + right) * right.signum()).div_euclid(2 * right.abs());
            i64::try_from(nearest).map_err(|_| overflow(span))
        }
        Arithmetic::Divide | Arithmetic::DivideUp => {
            let quotient = left.checked_div(right).ok_or_else(|| overflow(span))?;
            let exact = left % right == 0;
            let negative = (left < 0) != (right < 0);
            Ok(match operator {
                _ if exact => quotient,
                Arithmetic::DivideUp => quotient + i64::from(!negative),
                _ => quotient - i64::from(negative),
            })
        }
    }
}

/// `base ^ exponent`; a negative exponent is an error. `0^0` is 1.
pub(crate) fn power(base: i64, exponent: i64, exponent_span: Span, span: Span) -> Answer {
    if exponent < 0 {
        let message = format!("the exponent is {exponent}, less than 0");
        return Err(NotationError::new(NotationErrorKind::OutOfRange, exponent_span, message)
            .suggest("1/(a^b)", "is the fraction, rounded down"));
    }
    match (base, u32::try_from(exponent)) {
        (1, _) => Ok(1),
        (-1, _) => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        (0, _) => Ok(i64::from(exponent == 0)),
        (_, Ok(exponent)) => base.checked_pow(exponent).ok_or_else(|| overflow(span)),
        (_, Err(_)) => Err(overflow(span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Span = Span { start: 0, end: 1 };

    #[test]
    fn division_rounds_down_or_up_and_modulo_follows_the_divisor() {
        for left in -20..=20 {
            for right in (-7..=7).filter(|right| *right != 0) {
                let exact = f64::from(left) / f64::from(right);
                let (left, right) = (i64::from(left), i64::from(right));
                let down = apply(Arithmetic::Divide, left, right, AT).unwrap();
                assert_eq!(down, exact.floor() as i64);
                assert_eq!(apply(Arithmetic::DivideUp, left, right, AT).unwrap(), exact.ceil() as i64);
                assert_eq!(apply(Arithmetic::Modulo, left, right, AT).unwrap(), left - down * right);
                let nearest = apply(Arithmetic::DivideNearest, left, right, AT).unwrap();
                assert_eq!(nearest, (exact + 0.5).floor() as i64, "{left} / {right}");
            }
        }
    }

    #[test]
    fn the_edges_of_64_bits_are_errors_and_never_wrap() {
        let kind = |answer: Answer| answer.unwrap_err().kind();
        assert_eq!(kind(apply(Arithmetic::Add, i64::MAX, 1, AT)), NotationErrorKind::Overflow);
        assert_eq!(kind(apply(Arithmetic::Subtract, i64::MIN, 1, AT)), NotationErrorKind::Overflow);
        assert_eq!(kind(apply(Arithmetic::Multiply, i64::MIN, -1, AT)), NotationErrorKind::Overflow);
        assert_eq!(kind(apply(Arithmetic::Divide, i64::MIN, -1, AT)), NotationErrorKind::Overflow);
        assert_eq!(kind(apply(Arithmetic::DivideUp, i64::MIN, -1, AT)), NotationErrorKind::Overflow);
        assert_eq!(kind(apply(Arithmetic::DivideNearest, i64::MIN, -1, AT)), NotationErrorKind::Overflow);
        assert_eq!(apply(Arithmetic::DivideNearest, i64::MIN, i64::MIN, AT), Ok(1));
        assert_eq!(apply(Arithmetic::Modulo, i64::MIN, -1, AT), Ok(0));
        assert_eq!(kind(negate(i64::MIN, AT)), NotationErrorKind::Overflow);
        assert_eq!(kind(apply(Arithmetic::Modulo, 1, 0, AT)), NotationErrorKind::DivisionByZero);
    }

    #[test]
    fn powers_of_one_zero_and_minus_one_have_no_greatest_exponent() {
        assert_eq!(power(1, i64::MAX, AT, AT), Ok(1));
        assert_eq!(power(-1, i64::MAX, AT, AT), Ok(-1));
        assert_eq!(power(0, 0, AT, AT), Ok(1));
        assert_eq!(power(0, i64::MAX, AT, AT), Ok(0));
        assert_eq!(power(-2, 63, AT, AT), Ok(i64::MIN));
        assert_eq!(power(2, 63, AT, AT).unwrap_err().kind(), NotationErrorKind::Overflow);
        assert_eq!(power(2, -1, AT, AT).unwrap_err().kind(), NotationErrorKind::OutOfRange);
    }
}
