"""The game of one hand (csrc/game.hpp and what stands above it) as Cython sees it."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from paohuzi._backtrack cimport Query, Source
from paohuzi._core cimport Context, Reckoning, Rules, Scorer


cdef extern from "chi.hpp" namespace "paohuzi" nogil:
    const size_t CHI_ACTIONS_MAX

    cdef struct Chi:
        uint8_t code
        uint8_t bi[2]

    size_t chi_ways "paohuzi::chi_actions"(uint64_t hand, int face, bint keep_one, Chi* out)


cdef extern from "deal.hpp" namespace "paohuzi" nogil:
    const int PLAYER_COUNT
    const int DEALT_COUNT
    const int WALL_MAX

    cdef cppclass Deal:
        uint64_t hands[3]
        uint8_t wall[23]
        uint8_t wall_count
        uint8_t shown

    int wall_count(int wang)
    Deal deal_of_seed "paohuzi::make_deal"(int wang, uint64_t seed)
    int dealer_of_seed "paohuzi::first_dealer"(int seats, uint64_t seed)
    uint64_t seed_of_hand "paohuzi::hand_seed"(uint64_t match_seed, uint64_t number)


cdef extern from "game.hpp" namespace "paohuzi" nogil:
    const size_t ACTIONS_MAX
    const size_t QUESTION_COUNT

    cdef enum class Question(uint8_t):
        none

    cdef enum class ActionKind(uint8_t):
        hu

    cdef enum class End(uint8_t):
        none
        hu
        drawn

    cdef cppclass Action:
        ActionKind kind
        uint8_t face
        Chi chi

    cdef struct Player:
        uint64_t hand
        uint8_t exposed[7]
        uint8_t exposed_count

    cdef struct Appearance:
        uint16_t face
        uint16_t seat
        bint is_discard
        uint16_t fate
        uint16_t taker

    cdef cppclass Game:
        const Scorer* scorer
        Player players[3]
        uint8_t wall[23]
        uint8_t wall_count
        uint8_t wall_next
        uint8_t shown
        Question question
        uint8_t asked
        End end
        bint is_over()


cdef extern from "events.hpp" namespace "paohuzi" nogil:
    const size_t EVENT_COUNT

    cdef enum class EventKind(uint8_t):
        peng
        wei
        ti
        pao
        hu

    cdef struct Event:
        EventKind kind
        uint8_t seat
        uint8_t giver "from"
        uint8_t face
        Chi chi
        bint is_forced
        bint is_dealt
        bint is_hidden

    cdef cppclass EventLog:
        void clear()
        const Event* begin()
        size_t size()


cdef extern from "engine.hpp" namespace "paohuzi" nogil:
    Game start_game(const Scorer& scorer, const Deal& deal, EventLog* events)
    void apply_action "paohuzi::apply"(Game& game, const Action& action, EventLog* events)


cdef extern from "legal.hpp" namespace "paohuzi" nogil:
    size_t legal_actions(const Game& game, Action* out)
    bint is_legal(const Game& game, const Action& action)


cdef extern from "wins.hpp" namespace "paohuzi" nogil:
    cdef cppclass Result:
        End end
        bint is_heaven
        int winner
        int face
        Source source
        Reckoning reckoning
        int64_t payments[3]

    Query win_query(const Game& game, int seat)
    Context win_context(const Game& game, int seat)
    Result result_of(const Game& game)


cdef extern from "observe.hpp" namespace "paohuzi" nogil:
    cdef cppclass Observation:
        uint64_t hand
        uint64_t visible
        uint32_t chi_dead
        uint32_t peng_dead
        uint32_t hu_dead
        uint32_t declined_peng[3]
        uint32_t declined_chi[3]
        uint8_t exposed[3][7]
        uint8_t hand_sizes[3]
        uint8_t drawn_wangs[3]
        uint8_t has_skip[3]
        uint8_t wall[23]
        uint8_t tiles_left
        uint8_t seat
        uint8_t asked
        uint8_t question
        uint8_t shown
        uint8_t pending
        uint8_t pending_owner
        uint8_t pending_is_discard
        uint8_t end
        uint8_t winner
        uint8_t appearance_count
        Appearance appearances[52]

    Observation observe(const Game& game, int seat)


cdef extern from "perft.hpp" namespace "paohuzi" nogil:
    uint64_t perft(const Game& game, int depth)


cdef extern from "random_play.hpp" namespace "paohuzi" nogil:
    cdef cppclass Totals:
        uint64_t hands
        uint64_t decisions
        uint64_t choices
        uint64_t heavens
        uint64_t drawn
        uint64_t payment
        uint64_t questions[7]
        uint64_t events[11]

    void play_randomly(
        const Scorer& scorer, uint64_t first_seed, uint64_t hands, bint with_events, Totals& totals
    )


cdef extern from "played_states.hpp" namespace "paohuzi" nogil:
    void engine_states "paohuzi::play_states"(
        const Scorer& scorer, uint64_t seed, uint64_t first_game, size_t count, Query* out
    )


cdef class View:
    cdef Observation seen
