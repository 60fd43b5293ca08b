/** Headers of browsers and connections, which say nothing about the request. */
const noise =
  /^(?:user-agent|accept-encoding|accept-language|cache-control|pragma|connection|content-length|host|origin|referer|dnt|te|priority|upgrade-insecure-requests|if-none-match|if-modified-since|x-requested-with|postman-token|traceparent|tracestate|sec-.*|x-forwarded-.*|forwarded|via|x-real-ip|proxy-.*|transfer-encoding|keep-alive|expect|upgrade|trailer|:.*)$/

/** True for a header that a tool does not need. */
export function isNoise(name: string, value: string): boolean {
  return noise.test(name) || (name === 'accept' && value === '*/*')
}

const secretName =
  /(?:^|[-_.])(?:authorization|auth|token|secret|password|passwd|pwd|api[-_]?key|apikey|key|credential|signature|sig|session|cookie|access[-_]?key|client[-_]?secret|jwt|bearer)(?:$|[-_.])/i

/** Values that only credentials look like. */
const secretValue =
  /^(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|ya29|AKIA|AIza|SG|shpat|npm|pypi|dop_v1|hf|eyJ[\w-]+\.eyJ)[_\-.A-Za-z0-9]{12,}$/

/** True for a field whose value must not be kept in a document. */
export function isSecret(name: string, value: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
  return secretName.test(words) || secretValue.test(value)
}

/** `Bearer abc` → `Bearer ` and `abc`: the scheme is not a secret. */
export function splitScheme(value: string): { scheme: string; credential: string } {
  const found = /^(Bearer|Basic|Token|ApiKey|Key|Digest|GoogleLogin|AWS4-HMAC-SHA256)\s+/i.exec(
    value,
  )
  const scheme = found?.[0] ?? ''
  return { scheme, credential: value.slice(scheme.length) }
}
