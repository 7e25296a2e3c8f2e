// A player for Knave: change `choose`, the rest speaks the protocol (docs/protocol.md).
'use strict';

// Standard output is for answers. What is printed, even while something below is loaded, goes to standard error.
globalThis.console = new console.Console(process.stderr);

const NAME = 'javascript kit';
const VERSION = '1.0';
const WANTS = ['view']; // what `choose` reads beside the moves: 'view', 'events' or both
const rank = (card) => '..23456789TJQKA'.indexOf(card[0]);
const sum = (list, term) => list.reduce((total, item) => total + term(item), 0);

/** The move that its game's function below gives the highest value. Chance decides between equals. */
function choose(question) {
  const luck = random(question.seed);
  const value = GAMES[question.game] ?? otherGame;
  const view = { rules: question.rules ?? {}, ...question.view };
  let best = { value: -Infinity };
  for (const move of question.moves) {
    const found = { move, value: value(view, ...move.split(' ')), luck: luck() };
    if (found.value > best.value || (found.value === best.value && found.luck > best.luck)) best = found;
  }
  return best.move;
}

/** Tries all ways to face the room, and avoids it if none leaves more than there is. */
function dungeon(view, act, ...rest) {
  const ceiling = view.rules.health ?? 20;
  const { health = ceiling, weapon = 0, drunk = false, room = [], to_face: toFace = 1 } = view;
  const now = { health, ceiling, weapon, limit: view.limit ?? 14, drunk, worth: 0 };
  if (act === 'avoid') return bestEnd(now, [], 0);
  return bestEnd(afterFacing(now, act, ...rest), room.filter((card) => card !== rest[0]), toFace - 1);
}

/** A monster slain is worth half its rank, and a potion or weapon used up costs as much. */
function afterFacing(state, act, card, how) {
  const n = rank(card);
  const { health, ceiling, weapon, drunk, worth } = state;
  if (act === 'take') return { ...state, weapon: n, limit: 14, worth: worth - n / 2 };
  if (act === 'drink') {
    return { ...state, health: drunk ? health : Math.min(ceiling, health + n), drunk: true, worth: worth - n / 2 };
  }
  if (how === 'bare') return { ...state, health: health - n, worth: worth + n / 2 };
  return { ...state, health: health - Math.max(0, n - weapon), limit: n, worth: worth + n / 2 };
}

function bestEnd(state, room, toFace) {
  const { health, weapon, limit, worth } = state;
  if (health <= 0) return -99;
  if (toFace <= 0 || room.length === 0) return health + worth + (weapon * Math.min(limit, 13)) / 10;
  let best = -Infinity;
  for (const card of room) {
    const ways = { D: [['take', card]], H: [['drink', card]] }[card[1]] ?? [['fight', card, 'bare']];
    if ('CS'.includes(card[1]) && weapon && rank(card) <= limit) ways.push(['fight', card, 'weapon']);
    const left = room.filter((other) => other !== card);
    for (const way of ways) best = Math.max(best, bestEnd(afterFacing(state, ...way), left, toFace - 1));
  }
  return best;
}

/** Claims the most points. Gives a claimed column up if it is poor, or if nothing can be claimed without. */
function verslun(view, act, letter, ...partners) {
  const { columns: all = [], hand = [], unseen = [] } = view;
  const column = all['abcdefghijk'.indexOf(letter)] ?? { points: 0, cards: [] };
  if (act === 'redeal') {
    const suits = hand.map((card) => card[1]);
    const stuck = !all.some((each) => each.partners.length === 0 && suits.includes(each.cards[0][1]));
    const lasts = unseen.length >= 9; // for a new column and a new hand
    return lasts ? (stuck ? 99 : 20) - column.points : -1;
  }
  if (act === 'claim') {
    const cards = [...partners, ...column.cards.slice(0, partners.length)];
    return sum(cards, (card) => (card[0] === 'A' ? 1 : Math.min(10, rank(card))));
  }
  return { draw: 1, on: 1, pass: -1 }[act] ?? 0;
}

/** Finishes what it can. Builds or steals where the column is longest, and places high dice there. */
function columns(view, act, ...rest) {
  const length = (owner, pair) => {
    const column = view.columns?.[owner]['abcd'.indexOf(pair)] ?? { cards: [] };
    return column.finished ? 0 : 3 + column.cards.length;
  };
  const me = view.mover ?? 0;
  if (act === 'place') {
    const cards = (die) => (die === '6' ? 1 : Number(die)); // a six lets only one card be played
    return sum(rest, ([pair, die]) => cards(die) * (length(me, pair) - length(1 - me, pair)));
  }
  if (act === 'play' || act === 'steal') return length(act === 'play' ? me : 1 - me, rest[0]);
  return act === 'finish' ? 99 : 0;
}

/** Challenges with its lowest card once the stakes are high, and pockets what it can. */
function doubles(view, act, card) {
  const { stakes = 7 } = view;
  if (card) return stakes - 12 - rank(card) / 20;
  return act === 'pocket' ? 1 : 0;
}

/** Leads low. Wins tricks that count for it, and throws bad cards into the others. */
function whist(view, act, card) {
  const { trick = [], trump, led } = view;
  const scoundrel = (c) => c === 'JC' || c === 'JS';
  const power = (c) => (scoundrel(c) ? 99 : rank(c) + (c[1] === trump ? 40 : c[1] === led ? 20 : 0));
  const counts = (c) => (scoundrel(c) || '89'.includes(c[0]) ? 0 : rank(c) < 8 ? 1 : -1);
  if (trick.length === 0) return -rank(card);
  const wins = scoundrel(card) || power(card) > Math.max(...trick.map(power));
  return wins ? 2 * sum([...trick, card], counts) : -counts(card);
}

function otherGame() {
  return 0;
}

const GAMES = { dungeon, verslun, columns, doubles, whist };

/** A generator (splitmix32) of numbers from 0 to 1 that depend on the seed alone. */
function random(seed) {
  let state = (seed % 2 ** 32) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b9);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

// The protocol. Nothing from here on needs a change.

/** The answer to a line of input, if it asks for one. */
function answer(message, games, choose) {
  switch (message.type) {
    case 'choose':
      // The question with what was said of its game: its name, its rules, the own seat.
      return { id: message.id, move: choose({ ...games.get(message.game_id), ...message }) };
    case 'new':
      games.set(message.game_id, message);
      return undefined;
    case 'end':
      games.delete(message.game_id);
      return undefined;
    case 'ping':
      return { id: message.id, type: 'pong' };
    case 'hello':
      return { type: 'hello', protocol: 1, name: NAME, version: VERSION, wants: WANTS };
    default:
      return undefined;
  }
}

function main(choose) {
  const games = new Map();
  let rest = '';

  // All that has come is answered at once: the other side may be waiting, too.
  function take(chunk) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop(); // it may go on in the next chunk
    let answers = '';
    try {
      for (const line of lines) {
        if (line.trim() === '') continue;
        const message = JSON.parse(line);
        if (message.type === 'quit') {
          process.stdin.destroy();
          break;
        }
        const given = answer(message, games, choose);
        if (given) answers += `${JSON.stringify(given)}\n`;
      }
    } finally {
      if (answers) process.stdout.write(answers);
    }
  }

  process.stdin.setEncoding('utf8');
  process.stdin.on('data', take);
  process.stdin.on('end', () => take('\n')); // a last line without an end is a line, too
}

if (require.main === module) main(choose);
module.exports = { choose, main };
