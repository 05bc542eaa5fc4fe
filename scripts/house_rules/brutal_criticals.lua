--- Brutal criticals: a critical hit that also brings a condition deals two points more.
---
--- What tables argue about: a natural 20 followed by another 20 is rare (1 in 400), and the book gives it the same
--- damage as the row below it. Here the rarest row also hurts the most. Run or require this file to play with it.

house.wrap("critical.hit", function(args, next)
  local hit = next(args)
  if hit.condition then
    hit.damage += 2
  end
  return hit
end)

return "brutal criticals are in force: a critical with a condition deals 2 points more"
