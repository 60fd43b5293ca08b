import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressKind } from './address-kind.ts'
import { parseAddressList } from './address-list.ts'

const bad = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '[::1]'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1'],
  'link-local': ['169.254.169.254', '168.63.129.16', 'fe80::1', 'fe80::1%eth0', '::ffff:a9fe:a9fe'],
  reserved: [
    '0.0.0.0',
    '::',
    '::7f00:1',
    '::127.0.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '2001:db8::1',
    '2001::1',
    '3fff::1',
    'ff02::1',
    '4000::1',
  ],
} as const

describe('the kind of an address', () => {
  for (const [kind, addresses] of Object.entries(bad)) {
    for (const address of addresses) {
      test(`${address} is ${kind}`, () => expect(addressKind(address)).toBe(kind))
    }
  }

  test('an address inside a tunnel has the kind of its target', () => {
    expect(['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '2002:a9fe:a9fe::1'].map(addressKind)).toEqual([
      'loopback',
      'private',
      'link-local',
    ])
    expect(['fd00:ec2::254', 'fc00::1'].map(addressKind)).toEqual(['private', 'private'])
  })

  test('public addresses are public', () => {
    const good = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::1']
    expect(good.map(addressKind)).toEqual(good.map(() => 'public'))
  })

  test('text that is almost an address is refused', () => {
    const none = [
      '',
      'localhost',
      '1.2.3',
      '01.2.3.4',
      '1.2.3.256',
      '0x7f.0.0.1',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '::12345',
      '2130706433',
    ]
    expect(none.map(addressKind)).toEqual(none.map(() => undefined))
  })

  test('an IPv4 address has the same kind inside IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressKind(`::ffff:${address}`)).toBe(addressKind(address))
        expect(addressKind(`64:ff9b::${address}`)).toBe(addressKind(address))
      }),
    )
  })

  test('every valid IPv6 address has a kind', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(addressKind(address)).toBeDefined()
      }),
    )
  })
})

describe('a list of addresses', () => {
  test('has names, addresses and networks', () => {
    const list = parseAddressList(['Files.Internal', '10.1.0.0/16', '127.0.0.1', 'fd00::/8'])
    expect([
      list?.('files.internal', '192.168.0.1'),
      list?.('other', '10.1.255.1'),
      list?.('other', '10.2.0.1'),
      list?.('localhost', '127.0.0.1'),
      list?.('localhost', '127.0.0.2'),
      list?.('other', 'fd12::1'),
      list?.('other', '::ffff:10.1.0.1'),
    ]).toEqual([true, true, false, true, false, true, false])
  })

  test('is refused with an empty entry', () => {
    for (const entry of [
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'a b',
      'x/8',
      'http://a',
    ]) {
      expect(parseAddressList([entry])).toBeUndefined()
    }
  })
})
