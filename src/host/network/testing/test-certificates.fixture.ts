import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A private authority, and a certificate of it for localhost. As PEM. */
export interface TestCertificates {
  ca: string
  cert: string
  key: string
}

/** Created for each run, so that there is no private key in the repository. */
export function makeCertificates(): TestCertificates {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = { name: 'Test authority', key: authority.privateKey }
  const isCa = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))
  const names = [der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))]
  const ca = certificate({ name: issuer.name, key: authority.publicKey, extra: isCa }, issuer)
  const alternatives = extension('551d11', sequence(...names))
  const cert = certificate({ name: 'server', key: server.publicKey, extra: alternatives }, issuer)
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' })
  return { ca, cert, key: String(key) }
}

interface Subject {
  name: string
  key: KeyObject
  extra: Buffer
}

function certificate({ name, key, extra }: Subject, issuer: { name: string; key: KeyObject }) {
  const algorithm = sequence(objectId('2a8648ce3d040302'))
  const year = (offset: number) => {
    const at = new Date(Date.now() + offset * 86_400_000)
    return der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
  }
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    distinguished(issuer.name),
    sequence(year(-1), year(1)),
    distinguished(name),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extra)),
  )
  const signature = sign('sha256', body, issuer.key)
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function distinguished(name: string): Buffer {
  const attribute = sequence(objectId('550403'), der(0x0c, Buffer.from(name)))
  return sequence(der(0x31, attribute))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), der(0x04, value))
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const size = Buffer.from(length.toString(16).padStart(4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x82]), size, content])
}
