//! `sim play`: a game in the terminal, against agents or alone.

mod lines;

use super::args::{JudgeArgs, OneGame, whole};
use super::exit::{Exit, bad_input, complain, print, print_marked, say};
use super::hint::{board, table};
use crate::analysis::{JudgeError, JudgeSpec};
use crate::board::Board;
use crate::json::plain;
use crate::live::{Position, PositionError, Seen};
use crate::registry::Registry;
use crate::screen::Screen;
use crate::studies::analyse::{self, Transcripts};
use crate::studies::{End, Request, Session};
use clap::Args as ClapArgs;
use knave_agents::rng::{Role, stream};
use knave_agents::{AgentSpec, Seat};
use lines::Lines;
use rand::RngExt as _;
use schemars::Schema;
use serde_json::{Map, Value};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: OneGame,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    /// The seat that you play
    #[arg(long, default_value_t = 0, value_parser = whole(0, 6))]
    seat: u64,
    /// The agent in the other seats (`sim list agents`), any but `exec` and `exact`, by default `fast`, in games without a policy `mcts`; it
    /// is asked afresh for every move
    #[arg(long, value_name = "AGENT")]
    opponent: Option<String>,
    /// The index of the game among those of the seed
    #[arg(long, default_value_t = 0, value_parser = whole(0, u64::MAX))]
    index: u64,
    /// Show what the moves are worth before every decision
    #[arg(long)]
    hint: bool,
    /// Read lines and print text alone, as for a pipe
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    judging: JudgeArgs,
}

const HELP: &str = "\
A move is played as it is written, or by its number; Tab completes. Otherwise:
  moves      the legal moves, numbered
  board      what you see
  hint       what the moves are worth
  why        what your last move was worth
  undo       back to your last decision; cards and dice stay as they are
  fields     what the lines of the board mean
  save FILE  write the game as a transcript, once it is over
  quit       leave the game
Ctrl-C gives up on a hint or on the analysis. While another player thinks, it leaves the game.
Once the game is over there are save, why, undo, fields, help and quit.
";

/// So many moves are listed without being asked.
const LISTED: usize = 20;

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    if args.plain {
        console::set_colors_enabled(false);
        console::set_colors_enabled_stderr(false);
    }
    let judge = args.judging.spec()?;
    let game = registry.game(&args.game.name).map_err(bad_input)?;
    let opponent = args.opponent.as_deref().unwrap_or_else(|| game.opponent());
    let opponent: AgentSpec = opponent.parse().map_err(bad_input)?;
    registry.check_presets([&opponent]).map_err(|error| bad_input(format_args!("--opponent: {error}")))?;
    let rules = args.game.rules()?;
    let ruleset = game.ruleset(&rules).map_err(bad_input)?;
    let seat = args.seat as Seat;
    if seat >= ruleset.seats() {
        let expected = match ruleset.seats() {
            1 => format!("0, for {} is for one", game.name()),
            seats => format!("0 to {}", seats - 1),
        };
        return Err(bad_input(format_args!("--seat {seat} is refused: expected {expected}")));
    }
    if let (1, Some(given)) = (ruleset.seats(), &args.opponent) {
        let name = game.name();
        return Err(bad_input(format_args!(
            "--opponent {given} is refused: {name} is for one, leave it out"
        )));
    }
    let position = ruleset.deal(args.seed, args.index);
    // What cannot play or judge is refused before the first move.
    if position.turn().is_some() {
        let of_opponent = position.check_agent(&opponent);
        let of_opponent = of_opponent.map_err(|error| bad_input(format_args!("--opponent: {error}")))?;
        let of_judge = position.check_judge(&judge).map_err(|error| match error {
            PositionError::Judge(JudgeError::Worlds(_) | JudgeError::Moves(_)) => {
                bad_input(format_args!("--{error}"))
            }
            _ => bad_input(format_args!("--judge: {error}")),
        })?;
        let of_opponent = if ruleset.seats() > 1 { of_opponent } else { Vec::new() };
        // Opponents and judge are often the same agent, which has the same notes.
        let of_judge_alone = of_judge.iter().filter(|note| !of_opponent.contains(note));
        of_opponent.iter().chain(of_judge_alone).for_each(|note| say(format_args!("note: {note}")));
    }
    let others = match ruleset.seats() {
        1 => String::new(),
        seats => format!(", you in seat {seat} of 0 to {}, {opponent} elsewhere", seats - 1),
    };
    let name = ruleset.game();
    let rules: String = rules.iter().map(|(name, value)| format!(", {name}={}", plain(value))).collect();
    print(&format!(
        "{name}, seed {}, game {}{rules}{others}; `help` lists what can be said\n",
        args.seed, args.index
    ))?;
    let schema = game.view_schema().map(Schema::to_value);
    let fields = match (schema, position.board(seat)) {
        (Some(schema), Ok(board)) => fields(&schema, &board),
        _ => "The game does not tell what its fields mean.\n".to_owned(),
    };
    let under_way = TerminalGame {
        game: args.game.name.clone(),
        fields,
        seat,
        opponent,
        judge,
        position,
        key: stream(args.seed, args.index, Role::Analysis).random(),
        before: Vec::new(),
        hint: args.hint,
        told: 0,
        interrupts: Interrupts::new()?,
    };
    // An editor shows on standard output what is typed.
    let has_screen = io::stdin().is_terminal() && io::stdout().is_terminal();
    let lines = if args.plain || !has_screen { Lines::Plain } else { Lines::editor()? };
    under_way.play(registry, lines)
}

/// What the fields of a board mean, as the schema of its view says.
fn fields(schema: &Value, board: &Board) -> String {
    let told = |of: &Value| {
        let meaning = of["description"].as_str().unwrap_or_default();
        meaning.replace('\n', " ").replace("`null`", "`-`")
    };
    let line = |(name, of): (&str, &Value)| format!("{}: {}\n", name.replace('_', " "), told(of));
    let field = |name: &str| {
        let field = &schema["properties"][name];
        let parts = properties(schema, field).into_iter().flatten();
        let parts = parts.map(|(name, of)| format!("  {}", line((name, of)))).collect::<String>();
        line((name, field)) + &parts
    };
    let view = told(schema);
    let head = if view.is_empty() { String::new() } else { format!("{view}\n") };
    head + &board.fields().map(field).collect::<String>()
}

/// The fields of what a field holds or lists, if those have fields of their own.
fn properties<'a>(schema: &'a Value, field: &'a Value) -> Option<&'a Map<String, Value>> {
    if let Some(name) = field["$ref"].as_str().and_then(|to| to.strip_prefix("#/$defs/")) {
        return properties(schema, &schema["$defs"][name]);
    }
    match field.get("items") {
        Some(items) => properties(schema, items),
        None => field["properties"].as_object(),
    }
}

/// What Ctrl-C does: it gives up on what takes its time, and ends the command where nothing does.
struct Interrupts {
    stop: Arc<AtomicBool>,
    idle: Arc<AtomicBool>,
}

impl Interrupts {
    fn new() -> io::Result<Self> {
        let (stop, idle) = (Arc::<AtomicBool>::default(), Arc::new(AtomicBool::new(true)));
        flag::register_conditional_shutdown(SIGINT, Exit::Interrupted.code().into(), Arc::clone(&idle))?;
        flag::register(SIGINT, Arc::clone(&stop))?;
        Ok(Self { stop, idle })
    }

    /// Does what can be told to stop.
    fn during<T>(&self, work: impl FnOnce(&Arc<AtomicBool>) -> T) -> T {
        self.stop.store(false, Ordering::Relaxed);
        self.idle.store(false, Ordering::Relaxed);
        let done = work(&self.stop);
        self.idle.store(true, Ordering::Relaxed);
        done
    }
}

/// What a line asks for.
enum Asked {
    /// The position has changed.
    Moved,
    /// It has not.
    Stayed,
    Quit,
}

/// A game under way at the terminal.
struct TerminalGame {
    game: String,
    /// What the fields of the board mean.
    fields: String,
    seat: Seat,
    opponent: AgentSpec,
    judge: JudgeSpec,
    position: Box<dyn Position>,
    /// What the random numbers of opponents and judge depend on beside the moves played: drawn from the seed and the index.
    key: u64,
    /// The positions before one's own moves, and the moves.
    before: Vec<(Box<dyn Position>, String)>,
    hint: bool,
    /// How much of what everybody has seen has been told.
    told: usize,
    interrupts: Interrupts,
}

impl TerminalGame {
    fn play(mut self, registry: &Registry, mut lines: Lines) -> anyhow::Result<Exit> {
        loop {
            if !self.reaches_end(&mut lines)? {
                print("The game is left.\n")?;
                return Ok(Exit::Done);
            }
            self.news()?;
            // The game is there to be saved, whatever becomes of its analysis.
            if let Err(error) = self.end(registry) {
                complain(format_args!("no analysis: {error:#}"));
            }
            if !self.goes_on(&mut lines)? {
                return Ok(Exit::Done);
            }
        }
    }

    /// Plays on. Returns whether the game came to its end: it may be left.
    fn reaches_end(&mut self, lines: &mut Lines) -> anyhow::Result<bool> {
        let mut changed = true;
        while self.position.turn().is_some() {
            self.opponents()?;
            if self.position.turn().is_none() {
                break;
            }
            let moves = self.position.moves();
            if changed {
                self.show(&moves)?;
            }
            let words = ["moves", "board", "hint", "why", "undo", "fields", "save ", "quit", "help"];
            let words = moves.iter().cloned().chain(words.map(ToOwned::to_owned)).collect();
            let asked = lines.next(words)?.map_or(Ok(Asked::Quit), |line| self.ask(line.trim(), &moves))?;
            if let Asked::Quit = asked {
                return Ok(false);
            }
            changed = matches!(asked, Asked::Moved);
        }
        Ok(true)
    }

    /// Does what can be asked for once the game is over. Returns whether it goes on, because a move was taken back.
    fn goes_on(&mut self, lines: &mut Lines) -> anyhow::Result<bool> {
        let words = ["save ", "why", "undo", "fields", "help", "quit"];
        while let Some(line) = lines.next(words.map(ToOwned::to_owned).to_vec())? {
            let line = line.trim();
            match line.split(' ').next().unwrap_or_default() {
                "" => {}
                "quit" | "exit" => break,
                "save" | "why" | "undo" | "fields" | "help" | "?" => {
                    if let Asked::Moved = self.ask(line, &[])? {
                        return Ok(true);
                    }
                }
                _ => complain("the game is over: save FILE, why, undo, or quit"),
            }
        }
        Ok(false)
    }

    /// Has the others move until it is one's own turn.
    fn opponents(&mut self) -> anyhow::Result<()> {
        while self.position.turn().is_some_and(|seat| seat != self.seat) {
            let text = self.position.hint(&self.opponent, self.number(&*self.position))?;
            self.position.play(&text)?;
        }
        Ok(())
    }

    /// The seed of what is random at a position: every move has random numbers of its own, the same after `undo`.
    fn number(&self, position: &dyn Position) -> u64 {
        self.key.wrapping_add(position.played().len() as u64)
    }

    /// What everybody has seen since the last time, without one's own moves.
    fn news(&mut self) -> io::Result<()> {
        let public = self.position.public();
        let mut text = String::new();
        for seen in public.iter().skip(self.told) {
            text += &match seen {
                Seen::Move(seat, _) if *seat == self.seat => continue,
                Seen::Move(seat, m) => format!("Seat {seat}: {m}\n"),
                Seen::Roll(dice) => {
                    let dice: Vec<String> = dice.iter().map(ToString::to_string).collect();
                    format!("Roll: {}\n", dice.join(" "))
                }
                Seen::Shuffle => "Cards are drawn or shuffled\n".to_owned(),
            };
        }
        self.told = public.len();
        print(&text)
    }

    fn show(&mut self, moves: &[String]) -> io::Result<()> {
        self.news()?;
        print(&format!("\n{}", board(&*self.position)))?;
        if moves.len() <= LISTED {
            list(moves)?;
        } else {
            print(&format!("{} legal moves (`moves` lists them)\n", moves.len()))?;
        }
        if self.hint && moves.len() > 1 { self.hint() } else { Ok(()) }
    }

    /// What the moves of a position are worth, under a headline.
    fn appraise(&self, head: &str, position: &dyn Position, played: Option<&str>) -> io::Result<()> {
        let seed = self.number(position);
        match self.interrupts.during(|stop| position.appraise(&self.judge, played, seed, stop)) {
            Ok(appraised) => print(&format!("{head}{}", table(&appraised))),
            Err(PositionError::Stopped) => {
                say("Given up");
                Ok(())
            }
            Err(error) => {
                complain(error);
                Ok(())
            }
        }
    }

    fn hint(&self) -> io::Result<()> {
        self.appraise("", &*self.position, None)
    }

    /// Does what a line says.
    fn ask(&mut self, line: &str, moves: &[String]) -> anyhow::Result<Asked> {
        // Games of others may write moves as numbers, or as words that are understood here.
        if moves.iter().any(|legal| legal == line) {
            return self.play_move(line.to_owned());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("help" | "?", "") => print(HELP)?,
            ("quit" | "exit", "") => return Ok(Asked::Quit),
            ("moves", "") => list(moves)?,
            ("board", "") => print(&board(&*self.position))?,
            ("fields", "") => print(&self.fields)?,
            ("hint", "") => self.hint()?,
            ("why", "") => self.why()?,
            ("undo", "") => match self.before.pop() {
                Some((position, _)) => {
                    self.position = position;
                    self.told = self.position.public().len();
                    return Ok(Asked::Moved);
                }
                None => complain("there is nothing to undo"),
            },
            ("save", "") => complain("save needs a file: save FILE"),
            ("save", file) => self.save(Path::new(file))?,
            _ => match meant(line, moves) {
                Ok(text) => return self.play_move(text.to_owned()),
                Err(error) => complain(error),
            },
        }
        Ok(Asked::Stayed)
    }

    fn play_move(&mut self, text: String) -> anyhow::Result<Asked> {
        let before = self.position.copy();
        match self.position.play(&text) {
            Ok(()) => {
                self.before.push((before, text));
                return Ok(Asked::Moved);
            }
            Err(error) => complain(format_args!("{error} (`help` lists what can be said)")),
        }
        Ok(Asked::Stayed)
    }

    /// What the last move was worth.
    fn why(&self) -> io::Result<()> {
        let Some((before, played)) = self.before.last() else {
            complain("you have not moved yet");
            return Ok(());
        };
        if before.moves().len() < 2 {
            return print(&format!("{played} was the only legal move\n"));
        }
        self.appraise(&format!("Your last move was {played}:\n"), &**before, Some(played))
    }

    fn players(&self) -> Vec<String> {
        let other = self.opponent.to_string();
        (0..self.position.seats())
            .map(|seat| if seat == self.seat { "you".to_owned() } else { other.clone() })
            .collect()
    }

    /// Writes the game so far.
    fn save(&self, file: &Path) -> io::Result<()> {
        let text = match self.position.transcript(&self.players()) {
            Ok(text) => text,
            Err(error) => {
                complain(format_args!("not saved: {error}; play it to its end"));
                return Ok(());
            }
        };
        if file.exists() {
            complain(format_args!("not saved: {} is there already", file.display()));
            return Ok(());
        }
        match fs::write(file, text + "\n") {
            Ok(()) => print(&format!("Saved to {}\n", file.display())),
            Err(error) => {
                complain(format_args!("cannot write {}: {error}", file.display()));
                Ok(())
            }
        }
    }

    /// The result, and the analysis of the game.
    fn end(&self, registry: &Registry) -> anyhow::Result<()> {
        let end = self.position.end().unwrap_or_default().replace('_', " ");
        let mut text = format!("The game is over: {end}.\n");
        let alone = self.position.seats() == 1;
        for (seat, (score, won)) in self.position.results().unwrap_or_default().into_iter().enumerate() {
            let you = if seat == self.seat { " (you)" } else { "" };
            let points = if score.abs() == 1.0 { "point" } else { "points" };
            let result = match won {
                true => ", won",
                false if alone => ", not won",
                false => "",
            };
            text += &format!("seat {seat}{you}: {score} {points}{result}\n");
        }
        print(&text)?;
        let Ok(transcript) = self.position.transcript(&self.players()) else { return Ok(()) };
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("game.jsonl");
        fs::write(&file, transcript + "\n")?;
        let request = Request::Analyse(analyse::Request {
            game: self.game.clone(),
            rules: knave_agents::options::Fields::new(),
            agents: Vec::new(),
            n: 0,
            seed: 1,
            transcripts: Some(Transcripts { files: vec![file], fnv1a: None }),
            judge: self.judge.agent.clone(),
            worlds: self.judge.worlds,
            moves: self.judge.moves,
            measure: self.judge.measure,
        });
        print("It is analysed; Ctrl-C gives up on that.\n")?;
        let session = Session::new(registry, &request)?;
        let done = self.interrupts.during(|stop| session.stop(Arc::clone(stop)).run(&mut ()))?;
        match done.end {
            End::Complete => print_marked(&done.summary.on_screen(Screen::stdout().width))?,
            _ => say("Given up"),
        }
        Ok(())
    }
}

/// The move that a line means, as it is written or by its number. What is neither is refused by the game.
fn meant<'a>(line: &'a str, moves: &'a [String]) -> Result<&'a str, String> {
    match line.parse::<usize>() {
        _ if moves.iter().any(|legal| legal == line) => Ok(line),
        Ok(number) if (1..=moves.len()).contains(&number) => Ok(&moves[number - 1]),
        Ok(_) => Err(format!("{line} is no number of a move: expected 1 to {}", moves.len())),
        Err(_) => Ok(line),
    }
}

fn list(moves: &[String]) -> io::Result<()> {
    let lines = moves.iter().enumerate().map(|(place, text)| format!("{:>4}  {text}\n", place + 1));
    print(&lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of one's own may write its moves as numbers: what the list shows can then be typed, and is that move.
    #[test]
    fn moves_are_meant_as_they_are_written() {
        let moves = ["0", "2", "1", "stay"].map(ToOwned::to_owned);
        for (line, played) in [("0", "0"), ("2", "2"), ("1", "1"), ("3", "1"), ("stay", "stay"), ("go", "go")]
        {
            assert_eq!(meant(line, &moves), Ok(played), "{line}");
        }
        assert_eq!(meant("5", &moves).unwrap_err(), "5 is no number of a move: expected 1 to 4");
    }
}
