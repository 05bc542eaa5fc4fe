--- Exact fractions for analyses: sums and products of odds without rounding, and rounding as printed tables do it.

local fractions = {}

local function greatest_common_divisor(a, b)
  while b ~= 0 do
    a, b = b, a % b
  end
  return a
end

--- `n / d` in lowest terms. Whole numbers up to 2^53.
function fractions.new(n, d)
  d = d or 1
  assert(d ~= 0, "a fraction over 0")
  if d < 0 then
    n, d = -n, -d
  end
  local divisor = greatest_common_divisor(math.abs(n), d)
  assert(math.abs(n) < 2 ^ 53 and d < 2 ^ 53, "a fraction too large to be exact")
  return { n = n // divisor, d = d // divisor }
end

--- Reads `"81/40"`, `"7"` or `"0.45"`; a fraction or whole number is taken as it is.
function fractions.of(value)
  if type(value) == "table" then
    return value
  elseif type(value) == "number" then
    return fractions.new(value)
  end
  local n, d = string.match(value, "^(%-?%d+)/(%d+)$")
  if n then
    return fractions.new(tonumber(n), tonumber(d))
  end
  local whole, decimals = string.match(value, "^(%-?%d+)%.?(%d*)$")
  assert(whole, `"{value}" is no fraction`)
  return fractions.new(tonumber(whole .. decimals), 10 ^ #decimals)
end

function fractions.add(a, b)
  a, b = fractions.of(a), fractions.of(b)
  -- Over the least common denominator, so that long sums stay small.
  local shared = greatest_common_divisor(a.d, b.d)
  return fractions.new(a.n * (b.d // shared) + b.n * (a.d // shared), a.d // shared * b.d)
end

function fractions.times(a, ...)
  a = fractions.of(a)
  for _, b in { ... } do
    b = fractions.of(b)
    local left, right = greatest_common_divisor(math.abs(a.n), b.d), greatest_common_divisor(math.abs(b.n), a.d)
    a = fractions.new((a.n // left) * (b.n // right), (a.d // right) * (b.d // left))
  end
  return a
end

function fractions.over(a, b)
  b = fractions.of(b)
  return fractions.times(a, fractions.new(b.d, b.n))
end

function fractions.minus(a, b)
  return fractions.add(a, fractions.times(b, -1))
end

function fractions.mean(list)
  local sum = fractions.new(0)
  for _, one in list do
    sum = fractions.add(sum, one)
  end
  return fractions.over(sum, #list)
end

function fractions.least(a, b)
  a, b = fractions.of(a), fractions.of(b)
  return if a.n * b.d <= b.n * a.d then a else b
end

--- The same, as text: `81/40`, whole numbers with `/1`.
function fractions.text(a)
  a = fractions.of(a)
  return `{a.n}/{a.d}`
end

function fractions.number(a)
  a = fractions.of(a)
  return a.n / a.d
end

--- Rounded to so many places, a half up, as text: what a printed table would show.
function fractions.rounded(a, places)
  a = fractions.of(a)
  local unit = 10 ^ places
  local units = (2 * a.n * unit + a.d) // (2 * a.d)
  if places == 0 then
    return tostring(units)
  end
  return string.format("%d.%0" .. places .. "d", units // unit, units % unit)
end

return fractions
