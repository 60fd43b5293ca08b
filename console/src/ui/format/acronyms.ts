const acronyms = new Set(
  (
    'ai api bic cpu crm css csv cvc cvv dns ean erp gpu gps gtin hr html http https iban id ids ip irr isbn ' +
    'json kpi npv pdf pin ram roi sku sla smtp sms sql ssh ssn sso tls ui uri url uuid utc vat vin xml'
  ).split(' '),
)

/** Words that are written in capitals: `Sku` → `SKU`, `user ids` → `user IDs`. */
export function withAcronyms(text: string): string {
  return text.replaceAll(/[\p{L}\d]+/gu, (word) => {
    const plain = word.toLowerCase()
    if (!acronyms.has(plain)) return word
    return plain === 'ids' ? 'IDs' : plain.toUpperCase()
  })
}
