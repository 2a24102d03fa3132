// SPDX-License-Identifier: Apache-2.0
//
// What a connection carries: an immutable body of any type, shared by counting, with the few facts
// the kernel must know of it. sim/ never looks inside; the model does, by api number.
//
// A body type T declares
//     static constexpr std::uint16_t kApi;      number of the api (the model names it)
//     static constexpr bool kReply;             response or request
//     std::uint64_t wire_bytes() const;         size on the wire, for bandwidth
//     bool operator==(const T&) const;
// The pair (kApi, kReply) identifies the type: two body types never share it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "sim/base/assert.h"

namespace klab::sim {

/// Base of all bodies; see MessageRef.
class MessageBody {
  public:
    MessageBody(std::uint16_t api, bool reply, std::uint64_t bytes)
        : api_(api), reply_(reply), bytes_(bytes) {}

    MessageBody(const MessageBody&) = delete;
    MessageBody& operator=(const MessageBody&) = delete;
    virtual ~MessageBody() = default;

    [[nodiscard]] virtual bool equals(const MessageBody& other) const = 0;

    [[nodiscard]] std::uint16_t api() const { return api_; }

    [[nodiscard]] bool reply() const { return reply_; }

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    friend class MessageRef;
    mutable std::atomic<std::uint32_t> owners_{1};
    std::uint16_t api_;
    bool reply_;
    std::uint64_t bytes_;
};

template <typename T>
class TypedBody final : public MessageBody {
  public:
    explicit TypedBody(T body)
        : MessageBody(T::kApi, T::kReply, body.wire_bytes()), body_(std::move(body)) {}

    [[nodiscard]] bool equals(const MessageBody& other) const override {
        return other.api() == api() && other.reply() == reply() &&
               static_cast<const TypedBody&>(other).body_ == body_;
    }

    [[nodiscard]] const T& body() const { return body_; }

  private:
    T body_;
};

/// A shared, immutable message body; empty by default. Compares by content.
class MessageRef {
  public:
    MessageRef() = default;

    MessageRef(const MessageRef& other) noexcept : body_(other.body_) {
        if (body_ != nullptr) {
            body_->owners_.fetch_add(1, std::memory_order_relaxed);
        }
    }

    MessageRef(MessageRef&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}

    MessageRef& operator=(MessageRef other) noexcept {
        std::swap(body_, other.body_);
        return *this;
    }

    ~MessageRef() {
        if (body_ != nullptr && body_->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete body_;
        }
    }

    template <typename T>
    [[nodiscard]] static MessageRef make(T body) {
        MessageRef ref;
        ref.body_ = new TypedBody<T>(std::move(body));
        return ref;
    }

    [[nodiscard]] bool has_value() const { return body_ != nullptr; }

    /// Requires for all below: has_value().
    [[nodiscard]] std::uint16_t api() const { return body_->api(); }

    [[nodiscard]] bool reply() const { return body_->reply(); }

    [[nodiscard]] std::uint64_t bytes() const { return body_->bytes(); }

    template <typename T>
    [[nodiscard]] bool is() const {
        return body_ != nullptr && body_->api() == T::kApi && body_->reply() == T::kReply;
    }

    /// Requires: is<T>().
    template <typename T>
    [[nodiscard]] const T& as() const {
        KLAB_ASSERT(is<T>(), "message of api {} read as api {}", body_ ? body_->api() : 0, T::kApi);
        return static_cast<const TypedBody<T>*>(body_)->body();
    }

    friend bool operator==(const MessageRef& a, const MessageRef& b) {
        if (a.body_ == b.body_) {
            return true;
        }
        return a.body_ != nullptr && b.body_ != nullptr && a.body_->equals(*b.body_);
    }

  private:
    const MessageBody* body_ = nullptr;
};

/// Shorthand: make_message(ProduceRequest{...}).
template <typename T>
[[nodiscard]] MessageRef make_message(T body) {
    return MessageRef::make<T>(std::move(body));
}

}  // namespace klab::sim
