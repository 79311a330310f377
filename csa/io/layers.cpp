#include "csa/io/layers.hpp"

#include <algorithm>

#include "base/secret.hpp"

namespace kakehashi::csa::io {

using State = Layer::State;

LayerStack::LayerStack(const ServerAddress& address, TlsContext tls) {
  if (address.proxy) {
    layers_.push_back(make_proxy_layer(*address.proxy, address.host, address.port));
  }
  if (address.tls) {
    layers_.push_back(make_tls_layer(std::move(tls), *address.tls, address.host));
  }
  if (address.websocket) {
    layers_.push_back(make_websocket_layer(*address.websocket, address));
  }
}

LayerStack::Output LayerStack::start() {
  Output out;
  start_from(0, out);
  return out;
}

LayerStack::Output LayerStack::receive(std::string_view bytes) {
  Output out;
  rise(0, std::string(bytes), out);
  return out;
}

LayerStack::Output LayerStack::send(std::string_view line) {
  Output out;
  sink(layers_.size(), std::string(line), out);
  return out;
}

LayerStack::Output LayerStack::set_busy(bool is_busy) {
  Output out;
  for (std::size_t level = 0; level < layers_.size(); ++level) {
    sink(level, layers_[level]->set_busy(is_busy).below, out);
  }
  return out;
}

LayerStack::Output LayerStack::finish() {
  Output out;
  for (std::size_t level = layers_.size(); level-- > 0;) {
    if (layers_[level]->state() == State::open) {
      sink(level, layers_[level]->finish().below, out);
    }
  }
  return out;
}

/// A layer that opens without a word lets the next one start at once.
void LayerStack::start_from(std::size_t level, Output& out) {
  for (; level < layers_.size(); ++level) {
    sink(level, layers_[level]->start().below, out);
    if (layers_[level]->state() != State::open) {
      return;
    }
  }
}

/// What arrived at `level` goes up as far as it gets.
void LayerStack::rise(std::size_t level, std::string bytes, Output& out) {
  for (; level < layers_.size() && !bytes.empty(); ++level) {
    Layer& layer = *layers_[level];
    const bool was_opening = layer.state() == State::opening;
    auto step = layer.receive(bytes);
    sink(level, std::move(step.below), out);
    bytes = std::move(step.above);
    if (was_opening && layer.state() == State::open) {
      start_from(level + 1, out);
    }
  }
  out.from_peer += bytes;
}

/// What `level` wants to be sent goes down through all the layers below it.
void LayerStack::sink(std::size_t level, std::string bytes, Output& out) {
  while (level > 0 && !bytes.empty()) {
    --level;
    std::string below = layers_[level]->send(bytes).below;
    base::wipe(bytes);  // a LOGIN, perhaps, as it was before this layer
    bytes = std::move(below);
  }
  if (out.to_peer.empty()) {
    out.to_peer = std::move(bytes);
    return;
  }
  out.to_peer += bytes;
  base::wipe(bytes);
}

State LayerStack::state() const {
  State worst = State::open;
  for (const auto& layer : layers_) {
    if (layer->state() == State::ended || layer->state() == State::failed) {
      return layer->state();
    }
    if (layer->state() == State::opening) {
      worst = State::opening;
    }
  }
  return worst;
}

base::Message LayerStack::why() const {
  const auto found = std::find_if(layers_.begin(), layers_.end(),
                                  [](const auto& layer) { return !layer->why().empty(); });
  return found == layers_.end() ? base::Message() : (*found)->why();
}

void LayerStack::hear_end() {
  if (Layer* layer = opening()) {
    layer->hear_end();
  }
}

Layer* LayerStack::opening() const {
  const auto found = std::find_if(layers_.begin(), layers_.end(), [](const auto& layer) {
    return layer->state() == State::opening;
  });
  return found == layers_.end() ? nullptr : found->get();
}

base::Message LayerStack::handshake() const {
  const Layer* layer = opening();
  return layer == nullptr ? base::Message() : layer->handshake();
}

base::Message LayerStack::advice() const {
  const Layer* layer = opening();
  return layer == nullptr ? base::Message() : layer->advice();
}

std::string LayerStack::description() const {
  std::string all;
  for (const auto& layer : layers_) {
    const auto one = layer->description();
    all += (all.empty() || one.empty() ? "" : ", ") + one;
  }
  return all;
}

}  // namespace kakehashi::csa::io
