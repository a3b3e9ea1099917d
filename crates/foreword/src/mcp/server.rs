//! The server as rmcp sees it: capabilities, tools, resources, progress and cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use axum::http::request::Parts;
use foreword_cluster::Access;
use foreword_session::answer::tokens;
use foreword_session::host::Indexing;
use foreword_session::tools::{
    CLUSTER_INSTRUCTIONS, CallContext, INSTRUCTIONS, Origin, Repositories, Target, Tool,
    ToolAnswer, call,
};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, Implementation, InitializeRequestParams, InitializeResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::{Mutex, Semaphore, mpsc};

use super::pushed::{self, PushedRepositories};
use super::{AnswerContent, resources, tools};
use crate::limits::gate::Gate;

/// How long clients may cache the list of tools, which changes only with the program.
const HOUR_MS: u64 = 3_600_000;

/// The number of calls that are answered at the same time; more of them queue.
pub(super) const MAX_CONCURRENT: usize = 8;

/// How long the client may take to list its roots.
const ROOTS_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum number of times a client that does not list its roots is asked for them.
const MAX_ROOTS_REQUESTS: u32 = 3;

/// The supported methods. If rmcp cannot parse a request to one of them, its parameters are wrong, not its name.
const METHODS: [&str; 7] = [
    "initialize",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// A server for one client, or for one request; copies share everything.
#[derive(Clone)]
pub(super) struct Server {
    shared: Arc<ServerState>,
}

/// Where the repositories are.
pub(super) enum Source {
    Disk(Repositories),
    Cluster(PushedRepositories),
}

impl Source {
    fn offered(&self) -> &'static [Tool] {
        match self {
            Self::Disk(_) => &tools::OFFERED,
            Self::Cluster(_) => &pushed::OFFERED,
        }
    }

    /// Fails for a tool that is not offered, with the reason.
    fn check(&self, tool: &str) -> anyhow::Result<()> {
        Tool::named(tool, self.offered()).map(drop)
    }
}

struct ServerState {
    source: Source,
    content: AnswerContent,
    /// One permit for each call that may run at the same time.
    permits: Arc<Semaphore>,
    /// Answers that the client has not read yet.
    unread: Arc<Gate>,
    /// Number of unanswered requests for the client's roots.
    roots_requests: AtomicU32,
    /// Locked during a request for the client's roots, whose outcome is for all calls that wait.
    asks_for_roots: Mutex<()>,
}

impl Server {
    /// Opens the default repositories at once, so that they are indexed when the first call comes.
    /// No answer is computed while the gate of `unread` answers is full.
    pub(super) fn new(source: Source, content: AnswerContent, unread: Arc<Gate>) -> Self {
        if let Source::Disk(it) = &source {
            // Errors are reported by the calls.
            drop(it.all());
        }
        let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
        let (roots_requests, asks_for_roots) = (AtomicU32::new(0), Mutex::default());
        let shared =
            ServerState { source, content, permits, unread, roots_requests, asks_for_roots };
        Self { shared: Arc::new(shared) }
    }

    /// Runs blocking work on a thread of its own. A panic there fails that one call.
    async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ServerState) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let shared = Arc::clone(&self.shared);
        let closed = || ErrorData::internal_error("the server is about to end", None);
        let permit =
            Arc::clone(&self.shared.permits).acquire_owned().await.map_err(|_| closed())?;
        let work = move || {
            // A client that disconnects does not stop the work, so the work keeps its permit.
            let _permit = permit;
            shared.unread.wait_for_room();
            work(&shared)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| ErrorData::internal_error("internal error in foreword; see stderr", None))
    }

    /// Requests the roots of clients of the older era, which may have some.
    #[expect(
        deprecated,
        reason = "roots are of the older era, and so are the clients that are asked for them"
    )]
    async fn learn_roots(&self, context: &RequestContext<RoleServer>) {
        let Source::Disk(Repositories::Local { start, .. }) = &self.shared.source else { return };
        if !start.needs_client_roots() {
            return;
        }
        let requests = &self.shared.roots_requests;
        let before = requests.load(Relaxed);
        let _asking = self.shared.asks_for_roots.lock().await;
        if !start.needs_client_roots() || requests.load(Relaxed) != before {
            return;
        }
        let info = context.peer.peer_info();
        let has_roots = info.is_some_and(|it| it.capabilities.roots.is_some());
        let is_older = context.protocol_version().is_some_and(|it| it.has_initialize());
        if !has_roots || !is_older || before == MAX_ROOTS_REQUESTS {
            return start.set_client_roots(Some(Vec::new()));
        }
        match tokio::time::timeout(ROOTS_TIMEOUT, context.peer.list_roots()).await {
            Ok(Ok(listed)) => {
                requests.store(0, Relaxed);
                start.set_client_roots(Some(listed.roots.into_iter().map(|it| it.uri).collect()));
            }
            // The next call asks again.
            _ => requests.store(before + 1, Relaxed),
        }
    }

    /// Notifies the client of the progress of indexing until the sender is dropped. The protocol wants every number to be
    /// larger than the one before.
    async fn forward_progress(
        context: &RequestContext<RoleServer>,
        mut progress: mpsc::UnboundedReceiver<Indexing>,
    ) {
        let mut last = 0;
        while let Some(Indexing { done, total }) = progress.recv().await {
            let Some(token) = context.meta.get_progress_token().filter(|_| done > last) else {
                continue;
            };
            last = done;
            let notification = ProgressNotificationParam::new(token, done as f64)
                .with_total(total as f64)
                .with_message(format!("indexing: {done} of {total} files"));
            // A client that has disconnected needs no progress.
            drop(context.peer.notify_progress(notification).await);
        }
    }
}

/// The rights of the sender of a request over HTTP, where its server has such.
fn access(context: &RequestContext<RoleServer>) -> Option<Access> {
    context.extensions.get::<Parts>()?.extensions.get().cloned()
}

impl ServerState {
    /// Answers a call of a tool.
    fn call(
        &self,
        (name, arguments): (&str, Value),
        access: Option<Access>,
        on_indexing: &mut dyn FnMut(Indexing),
    ) -> anyhow::Result<ToolAnswer> {
        let counted = self.content.counted();
        match &self.source {
            Source::Disk(repositories) => {
                let mut context = CallContext { repositories, on_indexing, counted };
                call(name, arguments, &mut context)
            }
            Source::Cluster(it) => it.call(access, (name, arguments), counted),
        }
    }

    /// Answers a request that names no repository from all of them.
    fn for_all<T>(
        &self,
        answer: impl FnOnce(&[Target<'_>]) -> Result<T, ErrorData>,
    ) -> Result<T, ErrorData> {
        // Those of a cluster have no resources.
        let Source::Disk(repositories) = &self.source else { return answer(&[]) };
        let views = || -> anyhow::Result<_> {
            let all = repositories.all()?.into_iter();
            let views: anyhow::Result<Vec<_>> =
                all.map(|it| it.view(None).map(|view| (it, view))).collect();
            Ok((views?, tokens::general()?))
        };
        let (views, counter) =
            views().map_err(|error| ErrorData::internal_error(format!("{error:#}"), None))?;
        let counted = self.content.counted();
        let target = |(repository, view)| Target {
            origin: Origin::Local(repository),
            view,
            counter: counter.clone(),
            counted,
            name: None,
        };
        let targets: Vec<Target<'_>> =
            views.iter().map(|(it, view)| target((&**it, view))).collect();
        answer(&targets)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools();
        let (capabilities, instructions) = match &self.shared.source {
            Source::Disk(_) => (capabilities.enable_resources().build(), INSTRUCTIONS),
            Source::Cluster(_) => (capabilities.build(), CLUSTER_INSTRUCTIONS),
        };
        let this =
            Implementation::new("foreword", env!("CARGO_PKG_VERSION")).with_title("foreword");
        ServerConfig::new(capabilities).with_server_info(this).with_instructions(instructions)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let agreed = self.negotiate_initialize(&request)?;
        // Later messages use the negotiated version, not the requested one.
        request.protocol_version = agreed.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(agreed)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(HOUR_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let source = &self.shared.source;
        let (repository, without) = match source {
            Source::Disk(it) => (it.describe(), &[][..]),
            Source::Cluster(it) => (it.describe(), &pushed::WITHOUT[..]),
        };
        let scope = match source {
            Source::Disk(Repositories::Local { .. }) => CacheScope::Public,
            // The descriptions name the repositories that are served.
            _ => CacheScope::Private,
        };
        let tools = tools::list(source.offered(), (&repository, without), self.shared.content);
        let tools = ListToolsResult::with_all_items(tools);
        Ok(tools.with_ttl_ms(HOUR_MS).with_cache_scope(scope))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        self.shared
            .source
            .check(&name)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        self.learn_roots(&context).await;
        let access = access(&context);
        let (sender, progress) = mpsc::unbounded_channel();
        let answered = self.run_blocking(move |shared| {
            let mut on_indexing = |it| {
                // The receiver is gone when the client has disconnected.
                let _ = sender.send(it);
            };
            let called = (&*name, arguments.unwrap_or_default().into());
            shared.call(called, access, &mut on_indexing)
        });
        let (answer, ()) = tokio::join!(answered, Self::forward_progress(&context, progress));
        Ok(tools::result(answer?, self.shared.content).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.learn_roots(&context).await;
        let cursor = request.and_then(|it| it.cursor);
        let listed = self.run_blocking(move |shared| {
            shared.for_all(|targets| resources::list(targets, cursor.as_deref()))
        });
        Ok(listed.await??.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(templates.with_ttl_ms(HOUR_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.learn_roots(&context).await;
        let read = self.run_blocking(move |shared| {
            shared.for_all(|targets| resources::read(targets, &request.uri))
        });
        Ok(read.await??.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(match METHODS.contains(&method.as_str()) {
            true => ErrorData::invalid_params(
                format!("{method}: the parameters have another shape"),
                None,
            ),
            false => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
        })
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        if let Source::Disk(Repositories::Local { start, .. }) = &self.shared.source {
            start.set_client_roots(None);
        }
    }
}
