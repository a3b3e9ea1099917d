@extends('layouts.app')
// <- import layouts.app

@section('content')
//        ^ definition.section (body)
  <div id="users">
  //       ^ definition.section in content (body)
    @foreach (sorted($users) as $user)
    // ~ call sorted
      @include('users.row', ['user' => present($user)])
      // <- import users.row
      // ~ call present
      <p class="{{ statusClass($user) }}">{!! nl2br($user->bio) !!}</p>
      // ~ call statusClass, call nl2br
    @endforeach
    {{-- hidden(comment) --}}
    @if (count($users) > 1)
    // ~ call count
      {{ $users->links() }}
      // ~ call links
    @endif
  </div>
@endsection
