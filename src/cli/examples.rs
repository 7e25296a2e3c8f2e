//! Examples of command lines, which stand under the help of each command. A test reads every one of them.

pub const RUN: &str = "\
Examples:
  sim run --game dungeon --agent fast -n 10000
  sim run --game columns --agent rule --agent random -n 1e5 --seed 7
  sim run --game dungeon --agent mcts -n 1000 --rule health=10..30
  sim run --game verslun --agent strong -n 1e6 --estimate=1h";

pub const COMPARE: &str = "\
Examples:
  sim compare --game dungeon --agent rule --agent greedy -n 10000
  sim compare --game whist --agent strong --agent fast -n 1e6 --until width=0.01
  sim compare --game columns --agent rule --agent fast -n 1e5 --sprt 0,20";

pub const SOLVE: &str = "\
Examples:
  sim solve --game dungeon -n 1000
  sim solve --game verslun -n 10 --line
  sim solve --game dungeon --deals decks.txt --line
  sim solve --game dungeon -n 100 --objective health --solutions";

pub const BOUND: &str = "\
Examples:
  sim bound --game dungeon -n 100
  sim bound --game verslun -n 1000 --agent fast --out results/bound";

pub const EXACT: &str = "\
Examples:
  sim exact --game dungeon --cards '5CS 8CS JCS 6D 5H' --rule health=12
  sim exact --game doubles --cards 2-7C --rule cards=1 --rule max_rolls=2
  sim exact --game whist --cards 2-3CDHS --export whist.efg";

pub const EXPLOIT: &str = "\
Examples:
  sim exploit --game dungeon --cards 'ACS QC 6D 5H' --agent greedy
  sim exploit --game whist --cards 2-3CDHS --agent greedy";

pub const ANALYSE: &str = "\
Examples:
  sim analyse --game dungeon --agent rule -n 100
  sim analyse games.jsonl --worlds 1000 --judge fast
  sim analyse --game whist --agent strong -n 20 --measure score";

pub const HINT: &str = "\
Examples:
  sim hint games.jsonl --decision 1
  sim hint games.jsonl --line 3 --decision 12 --worlds 1000
  sim hint games.jsonl --decision 1 --json";

pub const PLAY: &str = "\
Examples:
  sim play --game dungeon
  sim play --game whist --opponent strong --seed 4";

pub const MERGE: &str = "\
Examples:
  sim merge results/parts
  sim merge part-1 part-2 part-3 --out results/whole --whole";

pub const RULES: &str = "\
Examples:
  sim rules dungeon
  sim rules whist --json";

pub const LIST: &str = "\
Examples:
  sim list games
  sim list agents --game dungeon
  sim list presets --json";

pub const EXPERIMENT: &str = "\
Examples:
  sim experiment experiments/dungeon-agents.toml
  sim experiment --list
  sim experiment --check";

pub const SHOW: &str = "\
Examples:
  sim show results/dungeon-rule-n1000-seed1
  sim show results/dungeon-rule-n1000-seed1 --measure cause_of_death
  sim show results/dungeon-rule-n1000-seed1 --table scores.csv --format csv
  sim show results/dungeon-rule-n1000-seed1 --json";

pub const REPLAY: &str = "\
Examples:
  sim replay games.jsonl
  sim replay part-1.jsonl part-2.jsonl
  sim replay - --json";

pub const CHECK_BOT: &str = "\
Examples:
  sim check-bot ./my_bot
  sim check-bot --game dungeon 'python3 bot.py'";

pub const REPORT: &str = "\
Examples:
  sim report results/rule results/fast --out page.html
  sim report results/rule --out page.html --force";

pub const TRAIN: &str = "\
Examples:
  sim train --game dungeon -n 100000 --out my.model
  sim train --game dungeon -n 1e6 --rule health=5..40 --out my.model
  sim train --recipe recipe.toml --out my.model";

pub const COMPLETIONS: &str = "\
Examples:
  sim completions bash
  sim completions zsh";

pub const MAN: &str = "\
Examples:
  sim man target/man";
