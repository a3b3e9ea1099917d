@extends('layouts.app')

@section('content')
  <div id="users">
    @foreach (sorted($users) as $user)
      @include('users.row', ['user' => present($user)])
      <p class="{{ statusClass($user) }}">{!! nl2br($user->bio) !!}</p>
    @endforeach
    {{-- hidden(comment) --}}
    @if (count($users) > 1)
      {{ $users->links() }}
    @endif
  </div>
@endsection
