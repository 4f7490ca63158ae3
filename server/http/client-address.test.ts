import { expect, test } from 'vitest'
import { clientKey, networksOf } from './client-address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  // NAT64 and 6to4: the IPv4 address inside
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['64:ff9b::cb00:7109', '203.0.113.9'],
  ['64:ff9b:0:0:0:0:cb00:7109', '203.0.113.9'],
  ['64:ff9b:1::cb00:7109', '203.0.113.9'], // a prefix of 96 bits
  ['64:ff9b:1:fffe:0:1:cb00:7109', '203.0.113.9'],
  ['64:ff9b:1:abcd:cb:71:900:0', '203.0.113.9'], // of 64 bits
  ['64:ff9b:1:abcb:0:7109::', '203.0.113.9'], // of 56 bits
  ['64:ff9b:1:cb00:71:900::', '203.0.113.9'], // of 48 bits
  ['2002:cb00:7109::1', '203.0.113.9'],
  ['2002:cb00:7109:ffff:1:2:3:4', '203.0.113.9'],
  // and their neighbours, which are ordinary networks
  ['64:ff9b::1:cb00:7109', '64:ff9b:0:0::/64'],
  ['64:ff9b:2::cb00:7109', '64:ff9b:2:0::/64'],
  ['2003:cb00:7109::1', '2003:cb00:7109:0::/64'],
])('requests from %s count under %s', (address, client) => {
  expect(clientKey(address)).toBe(client)
})

test.each([
  ['203.0.113.9', ['203.0.113.9']],
  ['2001:db8:1:2fe::/64', ['2001:db8:1:2fe::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['0:0:0:0::/64', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
])('the networks of %s are %j', (client, networks) => {
  expect(networksOf(client)).toEqual(networks)
})
