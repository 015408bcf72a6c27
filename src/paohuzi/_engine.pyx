# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The door to the game of one hand: check, call, convert. No rules.

An action is one number: kind << 32 | face << 24 | group of the chi << 16 | two bi groups << 8 and << 0, so
that numbers sort as the core's actions do. Seats are 0 the dealer, 1 the next player, 2 the previous one.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.string cimport memcpy, memset

from paohuzi cimport _core
from paohuzi._backtrack cimport Query, bt_best_part, bt_best_xi, bt_for_each
from paohuzi._core cimport FACE_COUNT, WANG, Context, Rules, Scorer
from paohuzi._native cimport attached_tables

from ._native import NativeRules

QUESTIONS = ("shown_hu", "draw_hu", "hu", "peng", "chi", "discard", "none")  # by Question of csrc/game.hpp
ACTION_KINDS = ("hu", "peng", "chi", "discard", "pass")  # by ActionKind
FATES = ("open", "lies", "chi", "peng", "pao", "wei", "chouwei", "ti", "joined", "hu")  # by Fate
EVENTS = (  # by EventKind of csrc/events.hpp
    "draw", "discard", "chi", "peng", "wei", "ti", "pao", "hu", "pass", "skip", "drawn_hand",
)
SOURCES = ("dealt", "self", "other", "discard")  # by Source of csrc/query.hpp

cdef enum:
    SEATS = 3
    FACES = 21
    KEY_SIZE = 24
    GROUP_COUNT = 7
    NO_TILE = 255
    COPIES = 4
    NOBODY = 255
    HIDDEN = 31
    RULES_MAX = 64
    PERFT_MAX = 12
    ROWS_MAX = 1 << 24
    KNOWN_MAX = 1 << 14
    LIES = 1  # places in FATES
    FATE_COUNT = 10
    LEFT = 3  # an end beside those of csrc/game.hpp: a seat has left
    ACTION_BITS = 40

_core.backtracker.best_xi = bt_best_xi
_core.backtracker.best_part = bt_best_part
_core.backtracker.for_each_division = bt_for_each


cdef class TableRules:
    """Rules as the core of this module has them, shared by all tables that play by them."""

    cdef Scorer* scorer

    def __cinit__(self, bytes source):
        cdef Rules rules
        NativeRules(source)  # refuses what the core could not take
        memcpy(<void*>&rules, <const char*>source, sizeof(Rules))
        _core.share_tables(attached_tables(rules.play.wang > 0)[0])
        self.scorer = new Scorer(rules)

    def __dealloc__(self):
        del self.scorer


cdef dict _known_rules = {}


cdef TableRules table_rules(object source):
    if isinstance(source, TableRules):
        return <TableRules>source
    found = _known_rules.get(source)
    if found is None:
        if len(_known_rules) >= RULES_MAX:
            _known_rules.clear()
        found = _known_rules[source] = TableRules(source)
    return <TableRules>found


cdef inline uint64_t encode(const Action& action) noexcept nogil:
    return (
        <uint64_t>action.kind << 32 | <uint64_t>action.face << 24 | <uint64_t>action.chi.code << 16
        | <uint64_t>action.chi.bi[0] << 8 | action.chi.bi[1]
    )


cdef inline Action decode(uint64_t number) noexcept nogil:
    cdef Action action
    action.kind = <ActionKind>(number >> 32 & 255)
    action.face = <uint8_t>(number >> 24)
    action.chi.code = <uint8_t>(number >> 16)
    action.chi.bi[0] = <uint8_t>(number >> 8)
    action.chi.bi[1] = <uint8_t>number
    return action


cdef int read_seat(int seat) except -1:
    if not 0 <= seat < SEATS:
        raise ValueError(f"expected a seat from 0 to {SEATS - 1}, got {seat}")
    return seat


cdef int read_face(int face, int most, str place) except -1:
    if not 0 <= face <= most:
        raise ValueError(f"expected faces from 0 to {most}, got {face} {place}")
    return face


include "_deal.pxi"


def chi_actions(uint64_t hand, int face):
    """The actions that take a tile into a packed hand by 吃 with its 比, in order (docs/rules.md 4.6)."""
    cdef Chi[128] ways
    cdef Action action
    cdef size_t i, size
    if not _core.is_hand(hand):
        raise ValueError(f"expected a packed hand, got {hand:#x}")
    size = chi_ways(hand, read_face(face, FACE_COUNT - 1, "as the tile"), False, ways)
    action.kind = <ActionKind>2
    action.face = 0
    actions = []
    for i in range(size):
        action.chi = ways[i]
        actions.append(encode(action))
    return actions


include "_view.pxi"
include "_seating.pxi"


cdef class Table:
    """One hand of play. rules: Rules.native; is_recording: whether `take_events` has anything to give."""

    cdef TableRules rules
    cdef Game game
    cdef EventLog* events

    def __cinit__(self, object rules, bint is_recording=False):
        self.rules = table_rules(rules)
        self.events = new EventLog() if is_recording else NULL

    def __dealloc__(self):
        del self.events

    def deal(self, tuple hands, int shown, bytes wall):
        """Begin a hand with these tiles. Raises ValueError when they are not the deck."""
        cdef Deal deal
        read_deal(self.rules.scorer.rules().play.wang, hands, shown, wall, &deal)
        self.begin(deal)

    def deal_seed(self, uint64_t seed):
        """Begin the hand of a seed."""
        self.begin(deal_of_seed(self.rules.scorer.rules().play.wang, seed))

    cdef void begin(self, const Deal& deal) noexcept:
        if self.events != NULL:
            self.events.clear()
        self.game = start_game(self.rules.scorer[0], deal, self.events)

    cdef const Game* dealt(self) except NULL:
        if self.game.scorer == NULL:
            raise ValueError("no hand has been dealt at this table")
        return &self.game

    def copy(self):
        """The same hand at the same point, to be played on apart. It records nothing."""
        cdef Table other = Table.__new__(Table, self.rules)
        other.game = self.game
        return other

    def actions(self):
        """What the asked seat may do, sorted; empty when nobody is asked."""
        cdef Action[96] actions
        cdef size_t i, size = legal_actions(self.game, actions)
        return [encode(actions[i]) for i in range(size)]

    def apply(self, uint64_t action):
        """Take one of the actions. Raises ValueError for any other."""
        cdef Action chosen = decode(action)
        if action >> ACTION_BITS or not is_legal(self.game, chosen):
            raise ValueError(f"expected one of the actions {self.actions()}, got {action}")
        apply_action(self.game, chosen, self.events)

    @property
    def asked(self):
        """The seat that is asked; -1 when nobody is."""
        return -1 if self.game.question == Question.none else self.game.asked

    @property
    def question(self):
        """What it is asked, as one of QUESTIONS."""
        return QUESTIONS[<int>self.game.question]

    @property
    def is_over(self):
        return self.game.is_over()

    def result(self):
        """End type, winner, winning face (None: complete as dealt), source, whether forced heaven, payments
        by seat, payment, base, tun, xi, fan, mask of fans; None before the end."""
        cdef Result result
        if not self.game.is_over():
            return None
        result = result_of(self.game)
        if result.end == End.drawn:
            return ("draw", None, None, None, False, _payments(result), 0, 0, 0, 0, 0, 0)
        return (
            "hu", result.winner, None if result.face < 0 else result.face, SOURCES[<int>result.source],
            result.is_heaven, _payments(result), result.reckoning.payment, result.reckoning.base,
            result.reckoning.tun, result.reckoning.xi, result.reckoning.fan, result.reckoning.fans,
        )

    def win_key(self, int seat):
        """The key of the query of a seat's win on the pending tile, and its context as a mask."""
        cdef Query query = win_query(self.dealt()[0], read_seat(seat))
        cdef Context context = win_context(self.game, seat)
        mask = (
            context.last_tile | context.shown_tile << 1 | context.dealer << 2 | context.untouched << 3
            | context.first_discard << 4 | context.heaven << 5
        )
        return (<const char*>&query)[:KEY_SIZE], mask

    def hands(self):
        """The concealed tiles by seat, packed."""
        return tuple([self.game.players[seat].hand for seat in range(SEATS)])

    def exposed(self, int seat):
        """The codes of a seat's exposed groups, hidden ones too."""
        cdef Player* player = &self.game.players[read_seat(seat)]
        return (<const char*>&player.exposed[0])[:player.exposed_count]

    def wall(self):
        """The faces still to be drawn, in order."""
        return (<const char*>&self.game.wall[0])[self.game.wall_next:self.game.wall_count]

    def state(self):
        """All that makes up the hand at this point, to compare two tables of the same rules."""
        cdef Game game = self.game
        game.scorer = NULL
        return (<const char*>&game)[:sizeof(Game)]

    def observe(self, int seat, bint is_left=False):
        """What a seat may know. is_left: whether the hand is over because somebody has left the table."""
        cdef View view = View.__new__(View)
        view.seen = observe(self.dealt()[0], read_seat(seat))
        if is_left:
            view.seen.end = LEFT
            view.seen.asked = view.seen.pending_owner = NOBODY
            view.seen.question = <uint8_t>Question.none
            view.seen.pending = HIDDEN
            view.seen.pending_is_discard = 0
        return view

    def take_events(self):
        """What has happened since the last call or the deal, as tuples: kind, seat, whose tile, face, group,
        two bi groups, forced, dealt, hidden. The group of a pass is the place of its question in QUESTIONS.
        """
        cdef size_t i
        cdef const Event* event
        if self.events == NULL:
            return []
        event = self.events.begin()
        events = [event_tuple(event[i]) for i in range(self.events.size())]
        self.events.clear()
        return events

    def tell(self, dict known, tell):
        """What has happened since the last call or the deal, each as `known` has it, else as `tell` makes it
        of the tuple of `take_events`. What depends on nothing else is kept in `known`."""
        cdef list told = []
        self.add_told(told, known, tell)
        return told

    def play(self, list actions, dict known, tell):
        """Take these actions one after the other; all that has happened, as `tell` gives it.

        Raises ValueError for the first that may not be taken.
        """
        cdef list told = []
        self.add_told(told, known, tell)
        for action in actions:
            self.apply(action)
            self.add_told(told, known, tell)
        return told

    cdef int add_told(self, list told, dict known, tell) except -1:
        cdef size_t i
        cdef const Event* event
        if self.events == NULL:
            return 0
        event = self.events.begin()
        for i in range(self.events.size()):
            key = event_key(event[i])
            found = known.get(key)
            if found is None:
                found = tell(event_tuple(event[i]))
                if stands_alone(event[i].kind) and len(known) < KNOWN_MAX:
                    known[key] = found
            told.append(found)
        self.events.clear()
        return 0

    def perft(self, int depth):
        """How many sequences of so many legal actions there are from here."""
        cdef uint64_t count
        _read_depth(depth)
        with nogil:
            count = perft(self.game, depth)
        return count

    def divide(self, int depth):
        """The same by first action."""
        cdef Table next_table
        counts = {}
        for action in self.actions():
            next_table = self.copy()
            next_table.apply(action)
            counts[action] = next_table.perft(_read_depth(depth) - 1)
        return counts


cdef int _read_depth(int depth) except -1:
    if not 1 <= depth <= PERFT_MAX:
        raise ValueError(f"expected a depth from 1 to {PERFT_MAX}, got {depth}")
    return depth


cdef tuple _payments(const Result& result):
    return (result.payments[0], result.payments[1], result.payments[2])


include "_events.pxi"
include "_many_hands.pxi"
