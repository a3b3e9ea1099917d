//! Parses values of settings from the command line or the user's file.

use std::ffi::OsStr;
use std::path::PathBuf;

/// Type of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A path.
    Path,
    /// A text.
    Text,
    /// Bytes: a number with an optional unit letter.
    Size,
    /// A number, capped at this maximum.
    Number(usize),
    /// A number from 0 to 1.
    Share,
    /// A non-negative price.
    Price,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of texts.
    Texts,
    /// Name of an environment variable, whose value is never shown.
    Variable,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A path.
    Path(PathBuf),
    /// A text.
    Text(String),
    /// A whole number.
    Number(usize),
    /// A number.
    Real(f64),
    /// A list of texts.
    Texts(Vec<String>),
}

impl Kind {
    /// Parses a flag or a default.
    pub(super) fn parse(self, text: &OsStr) -> Result<Value, String> {
        if self == Self::Path {
            return Ok(Value::Path(text.into()));
        }
        let text = text.to_string_lossy();
        match self {
            Self::Path | Self::Text | Self::Variable => Ok(Value::Text(text.into_owned())),
            Self::Texts => Ok(Value::Texts(vec![text.into_owned()])),
            Self::Size => parse_size(&text).map(Value::Number),
            Self::Share => parse_share(&text).map(Value::Real),
            Self::Price => parse_price(&text).map(Value::Real),
            Self::Word(words) => match words.contains(&&*text) {
                true => Ok(Value::Text(text.into_owned())),
                false => Err(format!("{text} is not one of {}", words.join(", "))),
            },
            Self::Number(most) => match text.parse::<usize>() {
                Ok(number) => Ok(Value::Number(number.min(most))),
                Err(_) => Err(format!("{text} is not a number")),
            },
        }
    }

    /// Parses a value of the user's file.
    pub(super) fn read(self, value: &toml::Value) -> Result<Value, String> {
        match (self, value) {
            (Self::Texts, toml::Value::Array(all)) => {
                let texts = all.iter().map(|it| it.as_str().map(str::to_owned));
                let texts: Option<Vec<String>> = texts.collect();
                texts.map(Value::Texts).ok_or_else(|| self.expected(value))
            }
            (Self::Number(_) | Self::Size, toml::Value::Integer(number)) => {
                self.parse(number.to_string().as_ref()).map_err(|_| self.expected(value))
            }
            (Self::Share | Self::Price, toml::Value::Integer(_) | toml::Value::Float(_)) => {
                self.parse(value.to_string().as_ref()).map_err(|_| self.expected(value))
            }
            (Self::Word(_), toml::Value::String(text)) => {
                self.parse(text.as_ref()).map_err(|_| self.expected(value))
            }
            (Self::Number(_) | Self::Share | Self::Price | Self::Texts, _) => {
                Err(self.expected(value))
            }
            (_, toml::Value::String(text)) => self.parse(text.as_ref()),
            _ => Err(self.expected(value)),
        }
    }

    fn expected(self, value: &toml::Value) -> String {
        let expected = match self {
            Self::Path => "a path in quotes",
            Self::Text | Self::Variable => "a text in quotes",
            Self::Size => "a size, as in \"150M\"",
            Self::Number(_) => "a whole number from 0",
            Self::Share => "a number from 0 to 1",
            Self::Price => "a price from 0, as in 2.5,",
            Self::Word(words) => {
                return format!("one of {} is expected, not {value}", words.join(", "));
            }
            Self::Texts => "a list of texts in quotes",
        };
        format!("{expected} is expected, not {value}")
    }
}

impl Value {
    /// The value as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Path(path) => path.display().to_string().into(),
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => (*number).into(),
            Self::Real(number) => (*number).into(),
            Self::Texts(texts) => texts.clone().into(),
        }
    }
}

/// Parses `0.4`.
fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.trim().parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it));
    share.ok_or_else(|| format!("{text} is not a number from 0 to 1"))
}

/// Parses `2.5`.
fn parse_price(text: &str) -> Result<f64, String> {
    let price = text.trim().parse::<f64>().ok().filter(|it| it.is_finite() && *it >= 0.0);
    price.ok_or_else(|| format!("{text} is not a price; write a number from 0, as in 2.5"))
}

/// Parses `150M`, `1G`, `4096`.
fn parse_size(text: &str) -> Result<usize, String> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &lower[digits.len()..] {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => 0,
    };
    let number = digits.trim().parse::<usize>().ok().filter(|_| factor > 0);
    let size = number.and_then(|it| it.checked_mul(factor));
    size.ok_or_else(|| format!("{text}: not a size; write bytes, or a number with K, M or G"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_a_letter() {
        assert_eq!(parse_size("150M"), Ok(150 << 20));
        assert_eq!(parse_size("1g"), Ok(1 << 30));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert!(parse_size("lots").unwrap_err().contains("lots: not a size"));
        assert!(parse_size("99999999999999999999G").is_err());
    }

    #[test]
    fn values_of_the_file_have_the_type_of_the_setting() {
        let read = |kind: Kind, text: &str| {
            let table: toml::Table = text.parse().unwrap();
            kind.read(&table["x"])
        };
        assert_eq!(read(Kind::Size, "x = '2K'"), Ok(Value::Number(2048)));
        assert_eq!(read(Kind::Size, "x = 7"), Ok(Value::Number(7)));
        assert_eq!(read(Kind::Number(9), "x = 12"), Ok(Value::Number(9)));
        assert!(read(Kind::Number(9), "x = -1").unwrap_err().contains("whole number"));
        assert!(read(Kind::Number(9), "x = '1'").unwrap_err().contains("not \"1\""));
        assert!(read(Kind::Text, "x = 1").unwrap_err().contains("in quotes"));
        assert_eq!(read(Kind::Share, "x = 0.4"), Ok(Value::Real(0.4)));
        assert_eq!(read(Kind::Share, "x = 1"), Ok(Value::Real(1.0)));
        assert!(read(Kind::Share, "x = 40").unwrap_err().contains("from 0 to 1"));
        assert!(read(Kind::Share, "x = '0.4'").unwrap_err().contains("from 0 to 1"));
        assert_eq!(read(Kind::Price, "x = 2.5"), Ok(Value::Real(2.5)));
        assert!(read(Kind::Price, "x = -1").unwrap_err().contains("a price from 0"));
        assert!(read(Kind::Price, "x = inf").unwrap_err().contains("a price from 0"));
        let word = Kind::Word(&["one", "two"]);
        assert_eq!(read(word, "x = 'two'"), Ok(Value::Text("two".to_owned())));
        assert!(read(word, "x = 'three'").unwrap_err().contains("one of one, two"));
        assert_eq!(read(Kind::Texts, "x = ['a']"), Ok(Value::Texts(vec!["a".to_owned()])));
        assert!(read(Kind::Texts, "x = [1]").is_err());
    }
}
