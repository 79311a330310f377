#include "csa/io/server_link.hpp"

#include <boost/asio/io_context.hpp>
#include <utility>

#include "csa/io/connection.hpp"

namespace kakehashi::csa::io {

ServerLink::ServerLink(boost::asio::io_context& context, Callbacks callbacks)
    : context_(context), callbacks_(std::move(callbacks)) {}

ServerLink::~ServerLink() { close(); }

void ServerLink::connect(ServerAddress address) {
  close();
  connection_ = std::make_shared<Connection>(context_, callbacks_, std::move(address));
  connection_->start(context_);
}

void ServerLink::write(std::string_view line) {
  if (connection_) {
    connection_->write(line);
  }
}

void ServerLink::acknowledge() {
  if (connection_) {
    connection_->acknowledge();
  }
}

void ServerLink::hold(base::Millis patience) {
  if (connection_) {
    connection_->hold(patience);
  }
}

std::optional<TcpQuality> ServerLink::quality() const {
  return connection_ ? connection_->quality() : std::nullopt;
}

void ServerLink::close() {
  if (connection_) {
    connection_->close();
    connection_.reset();
  }
}

}  // namespace kakehashi::csa::io
