const json = (schema: object) => ({ 200: { content: { 'application/json': { schema } } } })

/** The OpenAPI document of an imaginary shop, with one operation that cannot be used. */
export function petShop(summary: string) {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const pet = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
  return {
    openapi: '3.1.0',
    info: { title: 'Pet shop', version: '1.4' },
    servers: [{ url: '/v1' }],
    components: { securitySchemes: { shop: { type: 'http', scheme: 'bearer' } } },
    security: [{ shop: [] }],
    paths: {
      '/pets': {
        get: { operationId: 'pets/list', summary: 'List pets', responses: json({ type: 'array' }) },
        post: {
          operationId: 'pets/create',
          summary: 'Add a pet',
          requestBody: { required: true, content: { 'application/json': { schema: pet } } },
          responses: json(pet),
        },
      },
      '/pets/{id}': {
        get: { operationId: 'pets/read', summary, parameters: [id], responses: json(pet) },
        delete: {
          operationId: 'pets/remove',
          summary: 'Remove a pet',
          parameters: [id],
          responses: { 204: {} },
        },
      },
      '/legacy': {
        get: {
          operationId: 'legacy',
          summary: 'An operation with a part elsewhere',
          responses: json({ $ref: 'https://schemas.example/legacy.json' }),
        },
      },
    },
  }
}
