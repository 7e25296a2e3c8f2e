"""A player for Knave: change `choose`, the rest speaks the protocol (docs/protocol.md)."""

import sys

# Standard output is for answers. What is printed, even while something below is loaded, goes to standard error.
ANSWERS, sys.stdout = sys.__stdout__.buffer, sys.stderr

import json  # noqa: E402
import random  # noqa: E402

NAME, VERSION = "python kit", "1.0"
WANTS = ["view"]  # what `choose` reads beside the moves: "view", "events" or both
RANK = {rank: number for number, rank in enumerate("23456789TJQKA", 2)}


def choose(question):
    """The move that its game's function below gives the highest value. Chance decides between equals."""
    luck = random.Random(question["seed"])
    value = GAMES.get(question.get("game"), other_game)
    view = {"rules": question.get("rules", {}), **question.get("view", {})}
    return max(question["moves"], key=lambda move: (value(view, *move.split()), luck.random()))


def dungeon(view, act, *rest):
    """Tries all ways to face the room, and avoids it if none leaves more than there is."""
    ceiling = view["rules"].get("health", 20)
    now = view.get("health", ceiling), ceiling, view.get("weapon", 0), view.get("limit") or 14, view.get("drunk", False), 0
    if act == "avoid":
        return best_end(now, [], 0)
    room = [card for card in view.get("room", []) if card != rest[0]]
    return best_end(after_facing(now, act, *rest), room, view.get("to_face", 1) - 1)


def after_facing(state, act, card, how=""):
    """A monster slain is worth half its rank, and a potion or weapon used up costs as much."""
    health, ceiling, weapon, limit, drunk, worth = state
    rank = RANK[card[0]]
    if act == "take":
        return health, ceiling, rank, 14, drunk, worth - 0.5 * rank
    if act == "drink":
        return health if drunk else min(ceiling, health + rank), ceiling, weapon, limit, True, worth - 0.5 * rank
    if how == "bare":
        return health - rank, ceiling, weapon, limit, drunk, worth + 0.5 * rank
    return health - max(0, rank - weapon), ceiling, weapon, rank, drunk, worth + 0.5 * rank


def best_end(state, room, to_face):
    health, _, weapon, limit, _, worth = state
    if health <= 0:
        return -99
    if to_face <= 0 or not room:
        return health + worth + weapon * min(limit, 13) / 10
    ends = []
    for card in room:
        ways = {"D": [("take", card)], "H": [("drink", card)]}.get(card[1], [("fight", card, "bare")])
        if card[1] in "CS" and weapon and RANK[card[0]] <= limit:
            ways.append(("fight", card, "weapon"))
        left = [other for other in room if other != card]
        ends += [best_end(after_facing(state, *way), left, to_face - 1) for way in ways]
    return max(ends)


def verslun(view, act, letter="", *partners):
    """Claims the most points. Gives a claimed column up if it is poor, or if nothing can be claimed without."""
    columns = dict(zip("abcdefghijk", view.get("columns", [])))
    column = columns.get(letter, {"points": 0, "cards": []})
    if act == "redeal":
        suits = [card[1] for card in view.get("hand", [])]
        stuck = not any(each["cards"][0][1] in suits for each in columns.values() if not each["partners"])
        lasts = len(view.get("unseen", [])) >= 9  # for a new column and a new hand
        return (99 if stuck else 20) - column["points"] if lasts else -1
    if act == "claim":
        cards = [*partners, *column["cards"][: len(partners)]]
        return sum(1 if card[0] == "A" else min(10, RANK[card[0]]) for card in cards)
    return {"draw": 1, "on": 1, "pass": -1}.get(act, 0)


def columns(view, act, *rest):
    """Finishes what it can. Builds or steals where the column is longest, and places high dice there."""

    def length(owner, pair):
        column = view["columns"][owner]["abcd".index(pair)] if "columns" in view else {"cards": []}
        return 0 if column.get("finished") else 3 + len(column["cards"])

    me = view.get("mover", 0)
    if act == "place":  # a six lets only one card be played
        return sum(int(die.replace("6", "1")) * (length(me, pair) - length(1 - me, pair)) for pair, die in rest)
    if act == "play" or act == "steal":
        return length(me if act == "play" else 1 - me, rest[0])
    return 99 if act == "finish" else 0


def doubles(view, act, card=""):
    """Challenges with its lowest card once the stakes are high, and pockets what it can."""
    return view.get("stakes", 7) - 12 - RANK[card[0]] / 20 if card else act == "pocket"


def whist(view, _, card):
    """Leads low. Wins tricks that count for it, and throws bad cards into the others."""

    def power(card):
        if card in ("JC", "JS"):
            return 99
        return RANK[card[0]] + (40 if card[1] == view.get("trump") else 20 if card[1] == view.get("led") else 0)

    def counts(card):
        return 0 if card in ("JC", "JS") else 1 if card[0] < "8" else 0 if card[0] in "89" else -1

    trick = view.get("trick", [])
    if not trick:
        return -RANK[card[0]]
    wins = power(card) == 99 or power(card) > max(map(power, trick))
    return 2 * sum(map(counts, [*trick, card])) if wins else -counts(card)


def other_game(view, *move):
    return 0


GAMES = {"dungeon": dungeon, "verslun": verslun, "columns": columns, "doubles": doubles, "whist": whist}

# The protocol. Nothing from here on needs a change.


def answer(line, games, choose):
    """The answer to a line of input, if it asks for one."""
    message = json.loads(line)
    kind = message.get("type")
    if kind == "choose":
        # The question with what was said of its game: its name, its rules, the own seat.
        return {"id": message["id"], "move": choose({**games.get(message["game_id"], {}), **message})}
    if kind == "new":
        games[message["game_id"]] = message
    elif kind == "end":
        games.pop(message["game_id"], None)
    elif kind == "ping":
        return {"id": message["id"], "type": "pong"}
    elif kind == "hello":
        return {"type": "hello", "protocol": 1, "name": NAME, "version": VERSION, "wants": WANTS}
    elif kind == "quit":
        sys.exit()
    return None


def main(choose):
    games, rest, chunk = {}, b"", True
    while chunk:
        chunk = sys.stdin.buffer.read1(1 << 16)
        # The last line may go on in the next chunk; at the end of the input it is whole.
        *lines, rest = (rest + (chunk or b"\n")).split(b"\n")
        answers = []
        try:
            for line in lines:
                given = answer(line, games, choose) if line.strip() else None
                if given:
                    answers.append(json.dumps(given) + "\n")
        finally:
            # All that has come is answered before more is waited for: the other side may be waiting, too.
            ANSWERS.write("".join(answers).encode())
            ANSWERS.flush()


if __name__ == "__main__":
    try:
        main(choose)
    except KeyboardInterrupt:
        pass
