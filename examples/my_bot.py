"""A bot of one's own, to begin with: `paohuzi play --seats my_bot:MyBot,greedy,greedy --hands 100`."""


class MyBot:
    """Wins when it can, takes what it can get, and parts with what stands alone."""

    name = "mine"

    def choose(self, view):
        for kind in ("hu", "peng", "chi"):
            for action in view.legal_actions:
                if action.kind == kind:
                    return action
        return min(view.legal_actions, key=lambda action: self.neighbours(view, action))

    def neighbours(self, view, action):
        if action.tile is None:
            return 0
        return sum(view.hand.counts[max(0, action.tile.face - 2) : action.tile.face + 3])
