"""Webhooks: events of a league, sent to addresses of its organisers, signed and in order.

`delivery.deliver_due` is called every few seconds. Each address has a cursor: it gets one event
after the other, the next when this one has arrived or is given up. Events therefore arrive in
order, and a receiver that is down delays no other. An event may arrive twice (if a worker died
after sending), with the same identifier.
"""
