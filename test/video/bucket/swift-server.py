"""An S3 server for tests: OpenStack Swift with s3api, which checks signatures, in one process. It ends when its standard input ends.

usage: swift-server.py FOLDER PORT ACCOUNT:USER SECRET

FOLDER gets the data and the configuration. Port 0 is a free one. Prints the port once the server answers.
"""
import os
import sys

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)

from eventlet import tpool, wsgi
from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp

PROXY = """
[pipeline:main]
pipeline = catch_errors s3api tempauth slo dlo copy proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_%s = %s .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:copy]
use = egg:swift#copy
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""
BACKEND = """
[pipeline:main]
pipeline = %(kind)s-server
[app:%(kind)s-server]
use = egg:swift#%(kind)s
"""


class Cache:
    """What Swift uses of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, raise_on_error=False):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def incr(self, key, delta=1, *_, **__):
        self.values[key] = int(self.values.get(key, 0)) + delta
        return self.values[key]

    def delete(self, key, *_):
        self.values.pop(key, None)


def serve(folder, name, text, sock):
    path = os.path.join(folder, f'{name}.conf')
    with open(path, 'w') as file:
        file.write(f'[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}\nmount_check = false\n{text}')
    swift = loadapp(path)
    cache = Cache()

    def app(env, start_response):
        env['swift.cache'] = cache
        return swift(env, start_response)

    silent = {'log': open(os.devnull, 'w'), 'log_output': False}
    eventlet.spawn(wsgi.server, sock, app, protocol=SwiftHttpProtocol, **silent)


def main(folder, port, user, secret):
    os.makedirs(os.path.join(folder, 'disk'), exist_ok=True)
    backends = {kind: eventlet.listen(('127.0.0.1', 0)) for kind in ('account', 'container', 'object')}
    for kind, sock in backends.items():
        address = {'ip': '127.0.0.1', 'port': sock.getsockname()[1]}
        replication = {f'replication_{name}': value for name, value in address.items()}
        ring = RingBuilder(4, 1, 1)
        ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'disk', 'meta': '', **address, **replication})
        ring.rebalance()
        ring.get_ring().save(os.path.join(folder, f'{kind}.ring.gz'))
    for kind, sock in backends.items():
        serve(folder, kind, BACKEND % {'kind': kind}, sock)
    front = eventlet.listen(('127.0.0.1', int(port)))
    serve(folder, 'proxy', PROXY % (user.replace(':', '_'), secret), front)
    print(front.getsockname()[1], flush=True)
    tpool.execute(sys.stdin.read)
    os._exit(0)


main(*sys.argv[1:])
