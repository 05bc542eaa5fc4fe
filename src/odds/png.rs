//! Odds as a picture of dots: an SVG of [`svg()`](super::svg()), drawn with the fonts of the machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Dots for each unit of the SVG: sharp on a page and on a screen with dense dots.
const SCALE: f32 = 2.0;

/// Fonts without serifs that machines have, in the order wanted.
const FONTS: [&str; 7] = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI", "Cantarell"];

/// Why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The labels cannot be written.
    #[error("this machine has no fonts to write the labels with; an SVG is drawn without")]
    NoFonts,
    /// The text is no SVG, or one beyond all size.
    #[error("the picture cannot be drawn: {0}")]
    Undrawable(String),
}

fn undrawable(problem: impl std::fmt::Display) -> PngError {
    PngError::Undrawable(problem.to_string())
}

/// The SVG text as the bytes of a PNG file, two dots to the unit.
///
/// # Errors
/// When the machine has no fonts, or the text is no SVG.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let has = |wanted: &str| fonts.faces().any(|face| face.families.iter().any(|(name, _)| name == wanted));
    let Some(any) = fonts.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone())) else {
        return Err(PngError::NoFonts);
    };
    let family = FONTS.into_iter().find(|name| has(name)).map_or(any, str::to_owned);
    fonts.set_sans_serif_family(family);
    drawn(svg, &options)
}

fn drawn(svg: &str, options: &Options<'_>) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, options).map_err(undrawable)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| undrawable("it is too large"))?;
    let mut dots = Pixmap::new(size.width(), size.height()).ok_or_else(|| undrawable("it is too large"))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut dots.as_mut());
    dots.encode_png().map_err(undrawable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_drawn_in_twice_the_size_of_the_svg() {
        let text = r##"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect width="3" height="2" fill="#f00"/></svg>"##;
        let dots = Pixmap::decode_png(&drawn(text, &Options::default()).unwrap()).unwrap();
        assert_eq!((dots.width(), dots.height()), (6, 4));
        let dot = dots.pixel(3, 2).unwrap();
        assert_eq!((dot.red(), dot.green(), dot.blue()), (255, 0, 0));
    }

    #[test]
    fn what_is_no_svg_is_refused() {
        let error = drawn("no picture", &Options::default()).unwrap_err();
        assert!(error.to_string().starts_with("the picture cannot be drawn"), "{error}");
    }
}
