--- Jammed locks: a failure in the middle of a long task throws away what was done so far.
---
--- What tables argue about: a lock of five tumblers takes five successes, and the book does not say what a failure costs.
--- If it costs only the attempt, patience opens everything; if the tumblers fall back, five in a row are needed, and
--- good thieves look for the key first. Run or require this file to play with it.

house.set("skill.task.on_failure", "reset")

return "jammed locks: a failure undoes the successes so far"
