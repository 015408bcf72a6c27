# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The door to belief, quick play and search (csrc/search.hpp): check, call, convert. No rules.

A view is the bytes of an _engine.View of a seat that is asked; actions are numbers as in _engine; seats are 0
the dealer, 1 the next player, 2 the previous one.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cpp_bool
from libcpp.vector cimport vector

from paohuzi cimport _core
from paohuzi._backtrack cimport bt_best_part, bt_best_xi, bt_for_each
from paohuzi._core cimport Rules, Scorer
from paohuzi._engine cimport (
    Action, End, Game, Observation, Player, View, deal_of_seed, result_of, start_game,
)
from paohuzi._native cimport attached_tables

from ._native import NativeRules

METHODS = ("flat", "ismcts")  # by Method of csrc/search.hpp

cdef enum:
    SEATS = 3
    GROUPS = 7
    ROLLOUTS_MAX = 1_000_000_000
    SECONDS_MAX = 3600
    SAMPLES_MAX = 100_000_000

cdef extern from "Python.h":
    int PyErr_CheckSignals()  # with an exception set where it is not 0

_VIEW_FAULTS = (  # by ViewFault of csrc/view_check.hpp
    "a view",
    "the view of a seat that is asked",
    "a view with a hand of at most four copies of each face",
    "a view with exposed groups, hidden ones only of others",
    "a view of a wall",
    "a view of tiles that appeared and what became of them",
    "a view with the tile that its question is about",
    "a view whose visible tiles are those it shows",
    "a view with as many tiles and groups as players have",
    "a view with no more tiles than can appear",
)

_core.backtracker.best_xi = bt_best_xi
_core.backtracker.best_part = bt_best_part
_core.backtracker.for_each_division = bt_for_each


cdef extern from "policy.hpp" namespace "paohuzi" nogil:
    cdef cppclass Random:
        Random(uint64_t seed)

    cdef cppclass Policy:
        Policy(const Rules& rules) except +
        Action choose(const Game& game, Random& random)
        size_t rank(const Game& game, Action* actions, int* values)
        void play_out(Game& game, Random& random)


cdef extern from "seen_game.hpp" namespace "paohuzi" nogil:
    Game seen_game(const Scorer& scorer, const Observation& view)


cdef extern from "view_check.hpp" namespace "paohuzi" nogil:
    cdef enum class ViewFault(uint8_t):
        none

    ViewFault check_view(const Observation& view, int wang)


cdef extern from "belief_weights.hpp" namespace "paohuzi" nogil:
    cdef cppclass BeliefWeights:
        pass


cdef extern from "likeness.hpp" namespace "paohuzi" nogil:
    cdef struct Looks "paohuzi::Likeness::Looks":
        double value
        bint is_ready

    cdef cppclass Likeness:
        Likeness(const Policy& policy, const Rules& rules, const BeliefWeights& weights)
        Looks looks_of(const Player& player)


cdef extern from "belief.hpp" namespace "paohuzi" nogil:
    cdef cppclass Belief:
        Belief(
            const Scorer& scorer, const Policy& policy, const Observation& view, const BeliefWeights& weights
        ) except +
        bint sample(Random& random, Game& game)
        bint allows(const Game& game)


cdef extern from "search.hpp" namespace "paohuzi" nogil:
    const int STREAMS "paohuzi::STREAM_COUNT"

    cdef enum class Method(uint8_t):
        flat
        ismcts

    cdef cppclass SearchPlan:
        Method method
        uint64_t rollouts
        double seconds
        uint64_t seed
        int threads
        cpp_bool (*is_stopped)() noexcept nogil

    cdef struct Step:
        uint8_t seat
        Action action

    cdef cppclass ActionValue:
        Action action
        double mean
        double error
        uint64_t visits
        vector[Step] line

    cdef cppclass Analysis:
        vector[ActionValue] values
        uint64_t rollouts
        cpp_bool was_stopped

    Analysis search(
        const Scorer& scorer, const Policy& policy, const Observation& view, const SearchPlan& plan
    ) except +

STREAM_COUNT = STREAMS


def prefer_backtracker(bint is_preferred):
    """Let the plain backtracker answer what else the tables do, here and nowhere else: to compare."""
    _core.backtracker.is_preferred = is_preferred


cdef inline uint64_t encode(const Action& action) noexcept nogil:
    return (
        <uint64_t>action.kind << 32 | <uint64_t>action.face << 24 | <uint64_t>action.chi.code << 16
        | <uint64_t>action.chi.bi[0] << 8 | action.chi.bi[1]
    )


cdef cpp_bool is_interrupted() noexcept nogil:
    """Whether a signal came whose handler raised: the exception stays set."""
    with gil:
        return PyErr_CheckSignals() != 0


cdef int raise_what_is_set() except -1:
    return -1


cdef class Lookahead:
    """Belief, quick play and search under some rules: Rules.native."""

    cdef Scorer* scorer
    cdef Policy* policy

    def __cinit__(self, bytes source):
        cdef Rules rules
        NativeRules(source)  # refuses what the core could not take
        memcpy(<void*>&rules, <const char*>source, sizeof(Rules))
        _core.share_tables(attached_tables(rules.play.wang > 0)[0])
        self.scorer = new Scorer(rules)
        self.policy = new Policy(rules)

    def __dealloc__(self):
        del self.scorer
        del self.policy

    cdef int read_view(self, bytes source, Observation* view) except -1:
        if len(source) != sizeof(Observation):
            raise ValueError(f"expected the {sizeof(Observation)} bytes of a view, got {len(source)}")
        memcpy(<void*>view, <const char*>source, sizeof(Observation))
        return self.check(view[0])

    cdef int check(self, const Observation& view) except -1:
        cdef ViewFault fault = check_view(view, self.scorer.rules().play.wang)
        if fault != ViewFault.none:
            raise ValueError(f"expected {_VIEW_FAULTS[<int>fault]}, got other bytes")
        return 0

    cdef Belief* belief(self, bytes source) except NULL:
        cdef BeliefWeights weights
        return self.belief_of(source, weights)

    cdef Belief* belief_of(self, bytes source, const BeliefWeights& weights) except NULL:
        cdef Observation view
        self.read_view(source, &view)
        return new Belief(self.scorer[0], self.policy[0], view, weights)

    def analyse(
        self, bytes view, str method, uint64_t rollouts, double seconds, uint64_t seed, int threads
    ):
        """The rollouts made, and the legal actions, best first: number, mean, error, visits, and the line of
        seats and actions. A limit of 0 is none."""
        cdef Observation seen
        cdef SearchPlan plan
        cdef Analysis analysis
        self.read_view(view, &seen)
        plan.method = <Method>(<uint8_t>METHODS.index(method))
        plan.rollouts = read_limit(rollouts, ROLLOUTS_MAX, "rollouts")
        plan.seconds = read_limit(seconds, SECONDS_MAX, "seconds")
        plan.seed = seed
        plan.threads = threads
        plan.is_stopped = is_interrupted
        if rollouts == 0 and seconds == 0:
            raise ValueError("expected a limit of rollouts or of seconds, got none")
        if not 1 <= threads <= STREAMS:
            raise ValueError(f"expected 1 to {STREAMS} threads, got {threads}")
        with nogil:
            analysis = search(self.scorer[0], self.policy[0], seen, plan)
        if analysis.was_stopped:
            raise_what_is_set()
        if analysis.values.empty():
            raise ValueError("expected a view that some hidden tiles fit, got one that contradicts itself")
        return analysis.rollouts, [value_tuple(analysis.values[i]) for i in range(analysis.values.size())]

    def sample(self, bytes view, uint64_t seed, int count):
        """So many imagined hands: concealed hands by seat, exposed groups by seat, the wall."""
        cdef Game game
        cdef Belief* belief = self.belief(view)
        cdef Random* random = new Random(seed)
        try:
            samples = []
            while len(samples) < count and belief.sample(random[0], game):
                samples.append(hidden_tuple(game))
            return samples
        finally:
            del random
            del belief

    def count_samples(self, bytes view, uint64_t seed, int count):
        """How many of so many imagined hands were found, none kept."""
        cdef Game game
        cdef Belief* belief = self.belief(view)
        cdef Random* random = new Random(seed)
        cdef int _, found = 0
        with nogil:
            for _ in range(count):
                found += belief.sample(random[0], game)
        del random
        del belief
        return found

    def allows(self, bytes view, tuple hands, tuple exposed):
        """Whether samples can have these concealed hands and exposed groups, by seat, that fit the view."""
        cdef Game game
        cdef Belief* belief = self.belief(view)
        try:
            fill_hands(&game, hands, exposed)
            return belief.allows(game)
        finally:
            del belief

    def looks(self, bytes view, tuple hands, tuple exposed, bytes weights, uint64_t seed, int count):
        """The hands of the next and the previous player, as an array of HeldHand: first these, then so many
        imagined by these weights. To measure the weights (bench/belief_weights.py)."""
        cdef Game game
        cdef BeliefWeights chosen = read_weights(weights)
        cdef Belief* belief = self.belief_of(view, chosen)
        cdef Likeness* likeness = new Likeness(self.policy[0], self.scorer.rules(), chosen)
        cdef Random* random = new Random(seed)
        cdef vector[HeldHand] found
        cdef int seat = (<const Observation*><const char*>view).seat
        cdef int _
        try:
            fill_hands(&game, hands, exposed)
            add_looks(game, seat, likeness[0], found)
            for _ in range(count):
                if not belief.sample(random[0], game):
                    raise ValueError("expected a view that some hidden tiles fit, got one without any")
                add_looks(game, seat, likeness[0], found)
            return (<const char*>found.data())[:found.size() * sizeof(HeldHand)]
        finally:
            del random
            del likeness
            del belief

    def policy_values(self, View view not None):
        """What the policy of the rollouts thinks of each legal action, in their order, in no unit."""
        cdef Action[96] actions
        cdef int[96] values
        cdef size_t i, size
        self.check(view.seen)
        size = self.policy.rank(seen_game(self.scorer[0], view.seen), actions, values)
        found = [(encode(actions[i]), values[i]) for i in range(size)]
        found.sort()
        return [value for _, value in found]

    def quick_action(self, bytes view, uint64_t seed):
        """What the policy of the rollouts would do."""
        cdef Observation seen
        cdef Random* random = new Random(seed)
        try:
            self.read_view(view, &seen)
            return encode(self.policy.choose(seen_game(self.scorer[0], seen), random[0]))
        finally:
            del random

    def play(self, uint64_t first_seed, uint64_t hands):
        """Whole hands by the policy: how many were drawn, and what each loser paid in the rest."""
        cdef uint64_t number, drawn = 0
        cdef int64_t payment = 0
        cdef Game game
        cdef Random* random = new Random(first_seed)
        with nogil:
            for number in range(hands):
                game = start_game(
                    self.scorer[0], deal_of_seed(self.scorer.rules().play.wang, first_seed + number), NULL
                )
                self.policy.play_out(game, random[0])
                drawn += game.end == End.drawn
                payment += result_of(game).reckoning.payment if game.end == End.hu else 0
        del random
        return drawn, payment


cdef packed struct HeldHand:
    uint64_t tiles
    double value
    double is_ready


cdef int add_looks(const Game& game, int seat, const Likeness& likeness, vector[HeldHand]& found) except -1:
    cdef HeldHand held
    cdef Looks looks
    cdef int step
    for step in range(1, SEATS):
        looks = likeness.looks_of(game.players[(seat + step) % SEATS])
        held.tiles = game.players[(seat + step) % SEATS].hand
        held.value = looks.value
        held.is_ready = looks.is_ready
        found.push_back(held)
    return 0


cdef BeliefWeights read_weights(bytes source) except *:
    cdef BeliefWeights weights
    if len(source) != sizeof(BeliefWeights):
        raise ValueError(f"expected the {sizeof(BeliefWeights)} bytes of weights, got {len(source)}")
    memcpy(<void*>&weights, <const char*>source, sizeof(BeliefWeights))
    return weights


def weights_in_use():
    """The weights of belief, struct BeliefWeights of csrc/belief_weights.hpp as bytes."""
    cdef BeliefWeights weights
    return (<const char*>&weights)[:sizeof(BeliefWeights)]


cdef int fill_hands(Game* game, tuple hands, tuple exposed) except -1:
    cdef int seat, place
    for seat in range(SEATS):
        if not _core.is_hand(hands[seat]):
            raise ValueError(f"expected a packed hand for seat {seat}, got {hands[seat]}")
        game.players[seat].hand = hands[seat]
        game.players[seat].exposed_count = min(len(exposed[seat]), GROUPS)
        for place, code in enumerate(exposed[seat][:GROUPS]):
            game.players[seat].exposed[place] = code
    return 0


cdef object read_limit(object limit, object most, str unit):
    if not 0 <= limit <= most:
        raise ValueError(f"expected 0 to {most} {unit}, got {limit}")
    return limit


cdef tuple value_tuple(const ActionValue& value):
    line = [(value.line[i].seat, encode(value.line[i].action)) for i in range(value.line.size())]
    return encode(value.action), value.mean, value.error, value.visits, line


cdef tuple hidden_tuple(const Game& game):
    hands = tuple([game.players[seat].hand for seat in range(SEATS)])
    exposed = tuple([
        (<const char*>&game.players[seat].exposed[0])[:game.players[seat].exposed_count]
        for seat in range(SEATS)
    ])
    return hands, exposed, (<const char*>&game.wall[0])[game.wall_next:game.wall_count]
