"""Webhooks: the events of a league are sent to URLs of its organisers, signed and in order.

`delivery.deliver_due` is called every few seconds. Each webhook has a cursor: the next event is
sent when the previous one has arrived or has been given up. Events therefore arrive in order, and a
receiver that is unreachable delays no other receiver. An event may arrive twice with the same
identifier, if a worker died after sending it.
"""
