// A visitor made of lambdas, for std::visit with every alternative named.
#pragma once

namespace kakehashi::base {

template <class... Fs>
struct Overload : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;

}  // namespace kakehashi::base
