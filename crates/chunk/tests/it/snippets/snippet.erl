%% A store.
-module(store).
-behaviour(gen_server).
-include("store.hrl").
-include_lib("kernel/include/logger.hrl").
-import(lists, [map/2, filter/2]).
-export([start_link/0, get/1]).
-define(TIMEOUT, 5000).
-define(LOG(X), io:format("~p", [X])).
-record(state, {items = [] :: list(), count}).
-type key() :: atom().
-opaque handle() :: pid().
-callback init(Args :: term()) -> ok.

-spec get(key()) -> term().
%% @doc Gets an item.
get(Key) ->
    gen_server:call(?MODULE, {get, Key}, ?TIMEOUT).

start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

handle_call({get, Key}, _From, State = #state{items = Items}) ->
    {reply, find(Key, Items), State};
handle_call(_, _, State) ->
    {noreply, State}.
