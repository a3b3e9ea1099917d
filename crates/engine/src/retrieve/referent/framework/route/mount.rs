//! The calls that put the routes of another object behind a prefix.

use foreword_chunk::{Language, Span};

use super::calls::{Call, Item};
use super::declared::{Mount, PREFIXES, Reader, Target};
use super::pattern::Syntax;

/// Names that lead to the other object.
const MAX_NAMES: usize = 4;

impl<'t> Reader<'t> {
    /// `app.use('/shop', shop)`, `app.include_router(shop.router, prefix='/shop')`.
    pub(super) fn add_mount(&mut self, call: &'t Call) {
        let mut prefix = self.around(call);
        prefix.extend(self.prefix_before(call));
        let keyed = call.items.iter().find(|it| it.is_string && self.has_key(it, PREFIXES));
        let first = call.items.iter().find(|it| it.is_string && it.key.is_none());
        prefix.extend(keyed.or(first).map(|it| (self.path_text(it.span), Syntax::Colons)));
        let is_instead = self.word(call.callee) == "register_blueprint" && keyed.is_some();
        if let Some(target) = self.target_of(call) {
            self.push_mount(call, Mount { is_instead, ..Mount::new(prefix, target) });
        }
    }

    /// What a call mounts: its first argument in Python, else its last one.
    fn target_of(&self, call: &Call) -> Option<Target> {
        let is_target = |it: &&Item| {
            !it.is_string && (it.key.is_none() || self.has_key(it, &["app", "router", "routes"]))
        };
        let mut numbers = call.items.iter().filter(is_target).map(|it| it.argument);
        let number = match self.language {
            Language::Python => numbers.next(),
            _ => numbers.next_back(),
        };
        let items = call.items.iter().filter(|it| !it.is_string && Some(it.argument) == number);
        let required = items.clone().find_map(|it| {
            let inner = &self.calls[it.call?];
            let is_load = matches!(self.word(inner.callee), "require" | "import");
            inner.items.first().filter(|it| is_load && it.is_string).map(|it| it.span)
        });
        let names: Vec<Span> = items.map(|it| it.span).take(MAX_NAMES).collect();
        let named = (!names.is_empty()).then_some(Target::Names(names));
        required.map(Target::Module).or(named)
    }

    fn push_mount(&mut self, call: &'t Call, it: Mount) {
        let (owner, at) = (self.owner(call), call.callee.range().start);
        self.found.mounts.push(Mount { owner, at, ..it });
    }

    /// Django's `path('shop/', include('shop.urls'))`.
    pub(super) fn add_included(&mut self, call: &'t Call) {
        let Some(parent) = call.parent.map(|it| &self.calls[it]) else { return };
        let is_it = self.language == Language::Python && self.word(call.callee) == "include";
        let Some(first) = call.items.iter().find(|_| is_it).filter(|it| it.argument == 0) else {
            return;
        };
        let prefix = self.around(call);
        let names =
            call.items.iter().filter(|it| it.argument == 0 && !it.is_string && it.call.is_none());
        let target = match first.is_string {
            true => Target::Module(first.span),
            false => Target::Names(names.map(|it| it.span).take(MAX_NAMES).collect()),
        };
        self.push_mount(parent, Mount::new(prefix, target));
    }

    /// Laravel's `Route::prefix('api')->group(base_path('routes/api.php'))`.
    pub(super) fn add_file(&mut self, call: &'t Call) {
        if self.word(call.callee) != "group" {
            return;
        }
        let inner = call.items.iter().filter_map(|it| Some(&self.calls[it.call?]));
        let mut strings =
            inner.flat_map(|it| &it.items).chain(&call.items).filter(|it| it.is_string);
        let Some(file) = strings.find(|it| self.word(it.span).rsplit('.').next() == Some("php"))
        else {
            return;
        };
        let mut prefix = self.around(call);
        prefix.extend(self.prefix(call));
        self.push_mount(call, Mount::new(prefix, Target::Module(file.span)));
    }
}
