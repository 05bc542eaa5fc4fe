--- No stand-offs: equal results in a contest go to whoever has the higher score.
---
--- What tables argue about: the book leaves equal results undecided and lets the contest go on next round. Some like the
--- locked struggle, others find that three rounds of "still nothing" kill the scene, and that the stronger should hold.
--- Equal scores are a stand-off still. Run or require this file to play with it.

house.set("opposed.contest.ties", "higher_score")

return "no stand-offs: a tied contest goes to the higher score"
