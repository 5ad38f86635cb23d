"""What happens in a league, sent to addresses of its organisers: signed, in order, tried again.

`delivery.deliver_due` is called every few seconds. An address is another reader by cursor: it
is sent one event after the other, the next when this one has arrived or is given up. So events
come in their order, and a receiver that is away delays nobody but itself. What arrives may come
twice (a worker died after sending): it has the same identifier then.
"""
