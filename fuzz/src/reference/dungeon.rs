//! Dungeon by its ruling: lists of cards, the room by slots, the score added up in the end.

use super::{Reference, card, is, letter, number, reshuffled};
use knave::agents::options::Fields;
use knave::cards::Card;
use knave_agents::{ChanceRecord, Seat, Turn};

/// A game: what lies in the pile and in the room, and the player.
#[derive(Clone)]
pub struct Dungeon {
    shuffled: bool,
    strictly_below: bool,
    pile_only: bool,
    ceiling: i64,
    /// The next card first.
    pile: Vec<Card>,
    /// The cards face up, first slot first.
    room: Vec<Card>,
    /// The cards that lay in the room when the turn began.
    room_size: usize,
    health: i64,
    weapon: Option<Card>,
    /// What the weapon slew, the last one at the end.
    slain: Vec<Card>,
    /// The cards faced in this turn, in order.
    faced: Vec<Card>,
    avoided_before: bool,
    /// The card faced last in the whole game.
    last: Option<Card>,
    /// The room that was just avoided and is to be put in a new order.
    avoided: Option<Vec<Card>>,
    end: Option<&'static str>,
}

/// 2 to 14.
fn value(card: Card) -> i64 {
    match letter(card) {
        'T' => 10,
        'J' => 11,
        'Q' => 12,
        'K' => 13,
        'A' => 14,
        digit => i64::from(digit.to_digit(10).unwrap_or_default()),
    }
}

fn suit(card: Card) -> char {
    card.to_string().chars().nth(1).unwrap_or_default()
}

fn is_monster(card: Card) -> bool {
    "CS".contains(suit(card))
}

fn is_potion(card: Card) -> bool {
    suit(card) == 'H'
}

fn sum(cards: &[Card]) -> i64 {
    cards.iter().copied().filter(|&card| is_monster(card)).map(value).sum()
}

impl Dungeon {
    pub fn new(rules: &Fields, deck: &[Card]) -> Self {
        let ceiling = number(rules, "health");
        let mut dungeon = Self {
            shuffled: is(rules, "avoid_order", "shuffled"),
            strictly_below: is(rules, "weapon_limit", "below"),
            pile_only: is(rules, "unfaced", "pile"),
            ceiling,
            pile: deck.to_vec(),
            room: Vec::new(),
            room_size: 0,
            health: ceiling,
            weapon: None,
            slain: Vec::new(),
            faced: Vec::new(),
            avoided_before: false,
            last: None,
            avoided: None,
            end: None,
        };
        dungeon.begin_turn();
        dungeon
    }

    /// Fills the room, or ends the game where there is nothing left to fill it with.
    fn begin_turn(&mut self) {
        while self.room.len() < 4 && !self.pile.is_empty() {
            self.room.push(self.pile.remove(0));
        }
        self.room_size = self.room.len();
        self.faced.clear();
        if self.room.is_empty() {
            self.end = Some("cleared");
        }
    }

    fn may_avoid(&self) -> bool {
        self.room.len() == 4 && self.faced.is_empty() && !self.avoided_before
    }

    fn may_use_weapon(&self, monster: Card) -> bool {
        self.weapon.is_some()
            && self.slain.last().is_none_or(|&last| {
                if self.strictly_below { value(monster) < value(last) } else { value(monster) <= value(last) }
            })
    }

    fn drink(&mut self, potion: Card) {
        if !self.faced.iter().any(|&card| is_potion(card)) {
            self.health = (self.health + value(potion)).min(self.ceiling);
        }
    }

    fn fight(&mut self, monster: Card, with_weapon: bool) {
        let strength = if with_weapon { self.weapon.map_or(0, value) } else { 0 };
        self.health -= (value(monster) - strength).max(0);
        if with_weapon {
            self.slain.push(monster);
        }
    }

    fn face(&mut self, m: &str) {
        let words: Vec<&str> = m.split(' ').collect();
        let faced = card(words[1]);
        self.room.retain(|&other| other != faced);
        match words[0] {
            "take" => {
                self.weapon = Some(faced);
                self.slain.clear();
            }
            "drink" => self.drink(faced),
            _ => self.fight(faced, words[2] == "weapon"),
        }
        self.faced.push(faced);
        self.last = Some(faced);
        if self.health <= 0 {
            self.end = Some("died");
            return;
        }
        let to_face = if self.room_size == 4 { 3 } else { self.room_size };
        if self.faced.len() == to_face {
            self.avoided_before = false;
            self.begin_turn();
        }
    }
}

impl Reference for Dungeon {
    fn turn(&self) -> Turn {
        match (self.end, &self.avoided) {
            (Some(_), _) => Turn::Over,
            (None, Some(_)) => Turn::Shuffle,
            (None, None) => Turn::Player(0),
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.turn() != Turn::Player(0) {
            return moves;
        }
        if self.may_avoid() {
            moves.push("avoid".to_owned());
        }
        for &card in &self.room {
            match suit(card) {
                'D' => moves.push(format!("take {card}")),
                'H' => moves.push(format!("drink {card}")),
                _ => {
                    moves.push(format!("fight {card} bare"));
                    if self.may_use_weapon(card) {
                        moves.push(format!("fight {card} weapon"));
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        assert!(self.moves().iter().any(|m| m == text), "{text} is not legal");
        if text != "avoid" {
            return self.face(text);
        }
        self.avoided_before = true;
        let room = std::mem::take(&mut self.room);
        if self.shuffled {
            self.avoided = Some(room);
        } else {
            self.pile.extend(room);
            self.begin_turn();
        }
    }

    fn chance(&mut self, record: &ChanceRecord) -> Result<(), String> {
        let avoided = self.avoided.as_ref().ok_or("nothing random is due")?;
        self.pile.extend(reshuffled(record, avoided)?);
        self.avoided = None;
        self.begin_turn();
        Ok(())
    }

    fn seats(&self) -> usize {
        1
    }

    fn score(&self, _: Seat) -> f64 {
        let potion = self.last.filter(|&card| is_potion(card) && self.health == self.ceiling);
        let points = match self.end {
            Some("died") if self.pile_only => -sum(&self.pile),
            Some("died") => -sum(&self.pile) - sum(&self.room),
            _ => self.health + potion.map_or(0, value),
        };
        points as f64
    }

    fn winners(&self) -> Vec<Seat> {
        if self.end == Some("cleared") { vec![0] } else { Vec::new() }
    }

    fn end(&self) -> &'static str {
        self.end.unwrap_or_default()
    }

    fn copy(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}
