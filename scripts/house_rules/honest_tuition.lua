--- Honest tuition: gold buys at most half of the experience that is still missing.
---
--- What tables argue about: gold may stand in for half of what a level requires, but half of what? Of the whole step, and
--- the rich train after half an adventure; of the part still missing, and gold alone never finishes a level, since the
--- other half has to be earned. This rule takes the stern side. Run or require this file to play with it.

house.set("training.train.gold_cap", "missing")

return "honest tuition: gold buys half of what is missing, and so never a whole level"
