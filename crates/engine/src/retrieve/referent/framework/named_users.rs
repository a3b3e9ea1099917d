//! From what a string or key declares back to the places that name it: the uses of a route's name, a setting, a text, a
//! variable of the environment, a block of Terraform.

use foreword_chunk::{Language, Span};
use rustc_hash::FxHashMap;

use super::super::Resolution;
use super::super::at::{DefinitionPlace, name_around};
use super::super::code_file::CodeFile;
use super::named::{KeyFile, strings_around, words_before};
use super::rules::{RULES, Target};
use super::users::{files_with, places_of};
use crate::index::{FileId, Snapshot};
use crate::retrieve::names::place::is_name;
use crate::source::directory_of;

/// Files with the word that are read.
const MAX_FILES: usize = 2000;
/// Places with the word that are looked at.
const MAX_PLACES: usize = 4000;
/// Different names that are resolved.
const MAX_NAMES: usize = 200;
/// Bytes before a name that decide, with those of its string, what it means in a directory.
const MAX_BEFORE: usize = 60;
/// Letters of a word that is looked for.
const MIN_WORD: usize = 2;

/// What the place of a declaration leads back to, by path and position: the calls of a route, and what names the name, key
/// or block that is declared there. Empty for other places.
pub fn uses_of_declaration(snapshot: &Snapshot, file: FileId, at: usize) -> Vec<(FileId, Span)> {
    let resolution = Resolution::new(snapshot);
    let file = resolution.file(file);
    let at = file.text.floor_char_boundary(at.min(file.text.len()));
    let mut names = strings_around(&file.text, file.language, at);
    let is_plain = |it: &Span| !it.of(&file.text).contains(char::is_whitespace);
    names.retain(is_plain);
    let calls = names.first().map(|it| resolution.calls_of_declared(&file, *it));
    if let Some(calls) = calls.filter(|it| !it.is_empty()) {
        return calls;
    }
    names.push(name_around(&file, at));
    let is_it = |it: &Span| !it.is_empty() && resolution.may_declare(&file, *it);
    let found =
        names.into_iter().filter(is_it).map(|it| resolution.users_of_name(file.id, it, &|_| true));
    found.into_iter().find(|it| !it.is_empty()).unwrap_or_default()
}

impl Resolution<'_> {
    /// Whether a rule may find a declaration at a place.
    fn may_declare(&self, file: &CodeFile, name: Span) -> bool {
        let path = self.snapshot.path(file.id);
        if file.language == Some(Language::Hcl) {
            return true;
        }
        let words = words_before(&file.text, name);
        RULES.iter().any(|rule| match &rule.target {
            Target::Declaration(it) => {
                let is_before =
                    |word: &&str| it.before.contains(word) || it.several.0.contains(word);
                file.language == Some(it.language)
                    && path.to_lowercase().contains(it.path)
                    && words.iter().flatten().any(is_before)
            }
            Target::Key(keys) => KeyFile::of(path, keys).is_some(),
            Target::Variable(part) => {
                let is_code = file.language.is_some_and(Language::is_code);
                !is_code && path.rsplit('/').next().is_some_and(|it| it.contains(part))
            }
            Target::Function => false,
        })
    }

    /// The places whose names surely lead to the declaration at a span.
    pub(super) fn users_of_name(
        &self,
        home: FileId,
        declared: Span,
        keep: &dyn Fn(FileId) -> bool,
    ) -> Vec<(FileId, Span)> {
        let text = self.snapshot.text(home);
        let parts = declared.of(&text).split(|it: char| !is_name(it));
        let word = parts.max_by_key(|it| it.len()).unwrap_or_default().to_owned();
        if word.len() < MIN_WORD {
            return Vec::new();
        }
        let mut known: FxHashMap<String, bool> = FxHashMap::default();
        let mut found = Vec::new();
        let mut left = MAX_PLACES;
        let words = std::iter::once(word.clone()).collect();
        for id in files_with(self.snapshot, &words).take(MAX_FILES).filter(|it| keep(*it)) {
            let text = self.snapshot.text(id);
            let places: Vec<usize> = places_of(&text, &word).into_iter().take(left).collect();
            left -= places.len();
            let directory = directory_of(self.snapshot.path(id));
            for at in places {
                let names = strings_around(&text, self.snapshot.language(id), at);
                let name = names.first().copied().unwrap_or(Span::new(at, at + word.len()));
                let start = text.ceil_char_boundary(name.range().start.saturating_sub(MAX_BEFORE));
                let key = format!("{directory}\n{}", &text[start..name.range().end]);
                if known.len() >= MAX_NAMES && !known.contains_key(&key) {
                    continue;
                }
                let leads = || self.leads_to(&self.file(id), at, (home, declared));
                if *known.entry(key).or_insert_with(leads) && (id, name) != (home, declared) {
                    found.push((id, name));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the name at a byte surely means a declaration.
    fn leads_to(&self, file: &CodeFile, at: usize, declared: (FileId, Span)) -> bool {
        let Some(found) = self.named_at(file, at) else { return false };
        found.sure.iter().any(|it| match *it {
            DefinitionPlace::Written { file, name, .. } => (file, name) == declared,
            DefinitionPlace::Listed(it) => {
                let theirs = self.file(it.file);
                let own = theirs.definition(it.definition).name;
                // The names of blocks have quotes.
                it.file == declared.0 && (own == declared.1 || own.contains(declared.1))
            }
            DefinitionPlace::File(_) => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::at::tests::{shown, snapshot_of};
    use super::super::super::reads::tests::check as check_uses;
    use super::*;

    /// What the place before the mark `‸` in the first file leads back to, as `path:line`.
    #[track_caller]
    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let at = files[0].1.find('‸').unwrap();
        let snapshot = snapshot_of(files);
        let file = snapshot.file(files[0].0).unwrap();
        let found = uses_of_declaration(&snapshot, file, at);
        assert_eq!(
            found.iter().map(|it| shown(&snapshot, it.0, it.1.start)).collect::<Vec<_>>(),
            expect
        );
    }

    #[test]
    fn names_of_routes_settings_texts_variables_and_blocks_lead_back_to_what_names_them() {
        let urls =
            "app_name = 'shop'\nurlpatterns = [\n    path('a/', views.show, name='show‸'),\n]\n";
        let page =
            "<a href=\"{% url 'shop:show' %}\">a</a>\n<a href=\"{% url 'other:show' %}\">b</a>\n";
        let view = "x = reverse('shop:show')\nsay('show')\n";
        check(
            &[("shop/urls.py", urls), ("templates/a.html", page), ("b.py", view)],
            &["b.py:1", "templates/a.html:1"],
        );
        let config = "<?php\nreturn [\n    'open‸' => env('OPEN'),\n];\n";
        let user = "<?php\nconfig('shop.open');\nconfig('other.open');\n";
        check(&[("config/shop.php", config), ("app/A.php", user)], &["app/A.php:2"]);
        check(
            &[(".env.example", "OPEN‸=1\n"), ("config/shop.php", "<?php\nenv('OPEN');\n")],
            &["config/shop.php:2"],
        );
        let texts = "{\n  \"way\": {\n    \"open‸\": \"Open\"\n  }\n}\n";
        let script = "t('way.open')\nt('open')\n";
        check(&[("locales/en.json", texts), ("a.ts", script)], &["a.ts:1"]);
        let block = "variable \"region‸\" {\n  type = string\n}\n";
        let module = "locals {\n  a = var.region\n  b = local.region\n}\n";
        check(&[("a.tf", block), ("b.tf", module)], &["b.tf:2"]);
        check(&[("a.py", "def region‸():\n    pass\n"), ("b.tf", module)], &[]);
    }

    #[test]
    fn routes_lead_back_to_their_calls_and_handlers_to_their_names() {
        let urls = "from . import views\n\nurlpatterns = [\n    path('shop/‸', views.show, name='show'),\n]\n";
        let view = "def show(request):\n    pass\n";
        let page = "<a href=\"{% url 'show' %}\">a</a>\n";
        let tests = "client.get('/shop/')\n";
        let files = [
            ("shop/urls.py", urls),
            ("shop/views.py", view),
            ("templates/a.html", page),
            ("test_a.py", tests),
        ];
        check(&files, &["test_a.py:1"]);
        let files = [files[1], files[0], files[2], files[3]];
        check_uses(&files, "show", &["shop/urls.py:4", "templates/a.html:1", "test_a.py:1"]);
    }
}
