%% A store.
-module(store).
%       ^ definition.module (doc, body)
-behaviour(gen_server).
% ~ base gen_server
-include("store.hrl").
% <- import store.hrl
-include_lib("kernel/include/logger.hrl").
% <- import kernel/include/logger.hrl
-import(lists, [map/2, filter/2]).
% <- import lists (map, filter)
-export([start_link/0, get/1]).
-define(TIMEOUT, 5000).
%       ^ definition.macro in store
-define(LOG(X), io:format("~p", [X])).
%       ^ definition.macro in store
% ~ call format
-record(state, {items = [] :: list(), count}).
%       ^ definition.class in store
%               ^ definition.field in store.state
%                                     ^ definition.field in store.state
% ~ call list
-type key() :: atom().
%     ^ definition.type in store
% ~ call atom
-opaque handle() :: pid().
%       ^ definition.type in store
% ~ call pid
-callback init(Args :: term()) -> ok.
%         ^ definition.method in store
% ~ call term

-spec get(key()) -> term().
% ~ call key, call term
%% @doc Gets an item.
get(Key) ->
% <- definition.function in store (doc, body)
    gen_server:call(?MODULE, {get, Key}, ?TIMEOUT).
    % ~ call call, call MODULE, call TIMEOUT

start_link() ->
% <- definition.function in store (body)
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
    % ~ call start_link, call MODULE, call MODULE

handle_call({get, Key}, _From, State = #state{items = Items}) ->
% <- definition.function in store (body)
% ~ type state
    {reply, find(Key, Items), State};
    % ~ call find
handle_call(_, _, State) ->
% <- definition.function in store (body)
    {noreply, State}.
