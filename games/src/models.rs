//! Trained models and fitted weights that come with Knave. They lie in `<game>/models/`, each beside its recipe.

use super::CardGame;
use arrayvec::ArrayVec;
use knave_agents::learn::{Features, LearnedValue, Model, ModelError};
use knave_agents::options::spread::{covers, ends};
use knave_agents::options::{self, Fields, Options, recorded};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The trained models of a game, each under rules of its own.
pub struct Models {
    /// Names and contents of the files.
    files: &'static [(&'static str, &'static [u8])],
    read: OnceLock<Vec<Arc<Model>>>,
}

impl Models {
    /// The models in these files, each with its name. They are read when they are first asked for.
    pub const fn new(files: &'static [(&'static str, &'static [u8])]) -> Self {
        Self { files, read: OnceLock::new() }
    }

    /// The value by the first model that was trained for these rules.
    pub fn value<G: CardGame + Features>(&self, rules: &G::Rules) -> Option<LearnedValue<G>> {
        self.list().into_iter().find_map(|model| value::<G>(model, rules).ok())
    }

    /// The model of this name.
    pub fn named(&self, name: &str) -> Option<Arc<Model>> {
        self.list().into_iter().find(|model| model.id.name == name)
    }

    /// The models.
    pub fn list(&self) -> Vec<Arc<Model>> {
        let read = |(name, file): &(&str, &[u8])| {
            let model = Model::from_bytes(file);
            Arc::new(model.unwrap_or_else(|error| unreachable!("a test reads {name}: {error}")).named(name))
        };
        self.read.get_or_init(|| self.files.iter().map(read).collect()).clone()
    }
}

/// The value by this model, after a check that it was trained for this game under these rules. A game of one's own that can be
/// trained has it in its kit, so that model files stand for evaluators:
///
/// ```
/// use knave_agents::Kit;
/// use knave_agents::learn::Features;
/// use knave_games::{CardGame, value_of_model};
/// use std::sync::Arc;
///
/// fn learning<G: CardGame + Features>(kit: Kit<G>) -> Kit<G> {
///     kit.trainable().evaluator_of_model(|model, rules| Ok(Arc::new(value_of_model(model, rules)?)))
/// }
/// ```
///
/// # Errors
/// When it was trained for another game, other rules or other features.
pub fn value<G: CardGame + Features>(
    model: impl Into<Arc<Model>>,
    rules: &G::Rules,
) -> Result<LearnedValue<G>, ModelError> {
    let model = model.into();
    let default_of = |option: &str| {
        let docs = options::describe::<G::Rules>();
        docs.into_iter().find(|doc| doc.name == option).map(|doc| doc.default)
    };
    model
        .check::<G>(G::NAME, G::RULES_VERSION, &Value::Object(recorded(rules)))
        .map_err(|error| error.with_default(default_of))?;
    Ok(LearnedValue::new(model))
}

/// The same where rules make no difference to the model that `alike` turns into the same rules: a model for others of these does as
/// well.
///
/// # Errors
/// When it was trained for none of them. The error names an option that is wrong in all.
pub fn value_alike<G: CardGame + Features>(
    model: Model,
    rules: &G::Rules,
    alike: impl Fn(&G::Rules) -> G::Rules,
) -> Result<LearnedValue<G>, ModelError> {
    let kept = recorded(&alike(rules));
    // These rules with the options of a spread where that makes no difference, and how many options are still wrong.
    let towards = |spread: &Fields| {
        let (mut nearest, mut wrong) = (rules.clone(), 0);
        let names: BTreeSet<&String> = spread.keys().chain(kept.keys()).collect();
        for name in names {
            let covered = |rules: &Fields| covers(value_of(spread, name), value_of(rules, name));
            if covered(&recorded(&nearest)) {
                continue;
            }
            let values = ends(value_of(spread, name)).into_iter().chain([value_of(&kept, name).clone()]);
            let mut others = values.filter_map(|value| with::<G::Rules>(&nearest, name, value));
            match others.find(|other| covered(&recorded(other)) && recorded(&alike(other)) == kept) {
                Some(other) => nearest = other,
                None => wrong += 1,
            }
        }
        (wrong, nearest)
    };
    let spreads = model.header.spreads().iter().filter_map(Value::as_object);
    let nearest = spreads.map(towards).min_by_key(|(wrong, _)| *wrong);
    value(model, &nearest.map_or_else(|| rules.clone(), |(_, rules)| rules))
}

/// The value of an option; null where it is left out.
fn value_of<'a>(fields: &'a Fields, name: &str) -> &'a Value {
    fields.get(name).unwrap_or(&Value::Null)
}

/// These rules with another value of an option, if there are such rules.
fn with<R: Options>(rules: &R, name: &str, value: Value) -> Option<R> {
    let mut fields = recorded(rules);
    if value.is_null() {
        fields.remove(name);
    } else {
        fields.insert(name.to_owned(), value);
    }
    serde_json::from_value(Value::Object(fields)).ok()
}

/// The fitted weights in a table of a TOML file, in the order of `names`.
///
/// # Errors
/// Unless the table has these names and no others.
pub fn named_weights<W: DeserializeOwned, const N: usize>(
    file: &str,
    table: &str,
    names: &[&str; N],
) -> Result<[W; N], String> {
    let mut file: toml::Table = toml::from_str(file).map_err(|error| error.to_string())?;
    let rows = file.remove(table).ok_or_else(|| format!("table '{table}' is missing"))?;
    in_order(rows.try_into().map_err(|error| error.to_string())?, names)
}

/// The rows of a table of weights in the order of `names`.
///
/// # Errors
/// Names a row that is missing, or one of another name.
pub fn in_order<W, const N: usize>(
    mut rows: BTreeMap<String, W>,
    names: &[&str; N],
) -> Result<[W; N], String> {
    let row = |name: &&str| rows.remove(*name).ok_or_else(|| format!("'{name}' is missing"));
    let ordered = names.iter().map(row).collect::<Result<ArrayVec<W, N>, String>>()?;
    if let Some(name) = rows.keys().next() {
        return Err(format!("'{name}' is the name of no weight"));
    }
    Ok(ordered.into_inner().unwrap_or_else(|_| unreachable!("there is a row for each name")))
}

/// Checks that a reader of weights takes this file, and neither with a row less nor with a row more in the table at the end of `path`.
#[cfg(test)]
pub fn check_names(file: &str, path: &[&str], read: impl Fn(&str) -> Result<(), String>) {
    assert_eq!(read(file), Ok(()));
    let whole: toml::Table = toml::from_str(file).unwrap();
    let changed = |change: &dyn Fn(&mut toml::Table)| {
        let mut file = whole.clone();
        change(path.iter().fold(&mut file, |table, name| table[*name].as_table_mut().unwrap()));
        read(&toml::to_string(&file).unwrap())
    };
    let rows = path.iter().fold(&whole, |table, name| table[*name].as_table().unwrap());
    for (name, row) in rows {
        let fewer = changed(&|rows| assert!(rows.remove(name).is_some()));
        assert_eq!(fewer, Err(format!("'{name}' is missing")));
        let more = changed(&|rows| assert!(rows.insert("surplus".to_owned(), row.clone()).is_none()));
        assert_eq!(more, Err("'surplus' is the name of no weight".to_owned()));
    }
}

/// The fitted weights in a table of a TOML file that is part of the program, where rows may be missing.
pub fn weights<W: DeserializeOwned>(file: &str, table: &str) -> W {
    let weights = toml::from_str::<toml::Table>(file).map(|mut file| file.remove(table));
    let weights = weights.ok().flatten().and_then(|weights| weights.try_into().ok());
    weights.unwrap_or_else(|| unreachable!("a test reads this file"))
}
