//! The protocol's side of the tools: what rmcp asks of a server.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, Implementation,
    InitializeRequestParams, InitializeResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::{Semaphore, mpsc};

use super::home::Home;
use super::resources;
use super::tools::{self, Call, INSTRUCTIONS};
use crate::answer;
use crate::host::Indexing;

/// The tools are those of the program: they change when it does.
const HOUR_MS: u64 = 3_600_000;

/// Calls that are answered at the same time; more wait for their turn.
pub(super) const MOST_AT_ONCE: usize = 8;

/// How long the client may take to tell its roots.
const ROOTS: Duration = Duration::from_millis(500);

/// Requests that we do serve: when one of these is not understood, its parameters are wrong, not its name.
const SERVED: [&str; 7] = [
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
    shared: Arc<Shared>,
}

struct Shared {
    home: Home,
    /// Leave to work; more calls wait for theirs.
    turns: Arc<Semaphore>,
}

impl Server {
    /// The repository at hand is looked through at once, so that it is warm when the first question comes.
    pub(super) fn new(home: Home) -> Self {
        // Where there is none, the calls will say so.
        drop(home.all());
        let turns = Arc::new(Semaphore::new(MOST_AT_ONCE));
        Self { shared: Arc::new(Shared { home, turns }) }
    }

    /// Runs what takes time on a thread for it. A panic there is an error of that one call.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shared) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let shared = Arc::clone(&self.shared);
        let closed = || ErrorData::internal_error("the server is about to end", None);
        let turn = Arc::clone(&self.shared.turns).acquire_owned().await.map_err(|_| closed())?;
        let work = move || {
            // A client that hangs up does not end the work, so it does not give back the turn either.
            let _turn = turn;
            work(&shared)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| ErrorData::internal_error("a bug in foreword; stderr says more", None))
    }

    /// Clients of the older era may say in which directories they are at work.
    #[expect(
        deprecated,
        reason = "roots are of the older era, and so are the clients that are asked for them"
    )]
    async fn learn_roots(&self, context: &RequestContext<RoleServer>) {
        let Home::Own { place, .. } = &self.shared.home else { return };
        if !place.wants_roots() {
            return;
        }
        let info = context.peer.peer_info();
        let has_roots = info.is_some_and(|it| it.capabilities.roots.is_some());
        let is_older = context.protocol_version().is_some_and(|it| it.has_initialize());
        let mut uris = Vec::new();
        if has_roots
            && is_older
            && let Ok(Ok(told)) = tokio::time::timeout(ROOTS, context.peer.list_roots()).await
        {
            uris = told.roots.into_iter().map(|it| it.uri).collect();
        }
        place.set_roots(Some(uris));
    }

    /// Sends how far indexing is until the sender is gone. Each number is larger than the one before.
    async fn tell(
        context: &RequestContext<RoleServer>,
        mut told: mpsc::UnboundedReceiver<Indexing>,
    ) {
        let mut last = 0;
        while let Some(Indexing { done, total }) = told.recv().await {
            let Some(token) = context.meta.get_progress_token().filter(|_| done > last) else {
                continue;
            };
            last = done;
            let progress = ProgressNotificationParam::new(token, done as f64)
                .with_total(total as f64)
                .with_message(format!("indexing: {done} of {total} files"));
            // Whoever does not listen needs no progress.
            drop(context.peer.notify_progress(progress).await);
        }
    }
}

impl Shared {
    /// The repositories at hand, for what names none.
    fn at_home<T>(
        &self,
        answer: impl FnOnce(&[Call<'_>]) -> Result<T, ErrorData>,
    ) -> Result<T, ErrorData> {
        let views = || -> anyhow::Result<_> {
            let all = self.home.all()?.into_iter();
            let views: anyhow::Result<Vec<_>> =
                all.map(|it| it.view(None).map(|view| (it, view))).collect();
            Ok((views?, answer::tokens::general()?))
        };
        let (views, counter) =
            views().map_err(|error| ErrorData::internal_error(format!("{error:#}"), None))?;
        let call = |(repository, view)| Call { repository, view, counter: counter.clone() };
        let calls: Vec<Call<'_>> = views.iter().map(|(it, view)| call((&**it, view))).collect();
        answer(&calls)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let this =
            Implementation::new("foreword", env!("CARGO_PKG_VERSION")).with_title("foreword");
        ServerConfig::new(capabilities).with_server_info(this).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let agreed = self.negotiate_initialize(&request)?;
        // What follows is of the version that was agreed on, not of the one that was asked for.
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
        let tools = ListToolsResult::with_all_items(tools::list(&self.shared.home));
        let scope = match &self.shared.home {
            Home::Own { .. } => CacheScope::Public,
            // It names the repositories that are served.
            Home::Served(_) => CacheScope::Private,
        };
        Ok(tools.with_ttl_ms(HOUR_MS).with_cache_scope(scope))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        if !tools::is_known(&name) {
            let all = tools::NAMES.join(", ");
            return Err(ErrorData::invalid_params(
                format!("{name}: no such tool; there are {all}"),
                None,
            ));
        }
        self.learn_roots(&context).await;
        let (tell, told) = mpsc::unbounded_channel();
        let answered = self.work(move |shared| {
            let mut watch = |it| {
                // Nobody listens when the client has hung up.
                let _ = tell.send(it);
            };
            tools::call(&shared.home, &name, arguments.unwrap_or_default(), &mut watch)
        });
        let (answer, ()) = tokio::join!(answered, Self::tell(&context, told));
        let mut res = match answer? {
            Ok(answer) => {
                let mut res = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
                res.structured_content = Some(answer.json);
                res
            }
            Err(error) => CallToolResult::error(vec![ContentBlock::text(format!("{error:#}"))]),
        };
        res.is_error = Some(res.is_error.unwrap_or(false));
        Ok(res.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.learn_roots(&context).await;
        let cursor = request.and_then(|it| it.cursor);
        let listed = self
            .work(move |shared| shared.at_home(|calls| resources::list(calls, cursor.as_deref())));
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
        let read =
            self.work(move |shared| shared.at_home(|calls| resources::read(calls, &request.uri)));
        Ok(read.await??.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(match SERVED.contains(&method.as_str()) {
            true => ErrorData::invalid_params(
                format!("{method}: the parameters have another shape"),
                None,
            ),
            false => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
        })
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        if let Home::Own { place, .. } = &self.shared.home {
            place.set_roots(None);
        }
    }
}
