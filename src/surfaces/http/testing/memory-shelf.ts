import { ToolError } from '../../../core/errors.ts'
import type { OfferApi } from '../../../core/offer/tool-offer.ts'
import type { OAuthApi } from '../../../core/oauth/oauth-api.ts'
import type { ShelfApi } from '../../../core/shelf/shelf-api.ts'

/** A crib that offers nothing and has nothing on its shelf. */
export function memoryShelf(): OfferApi & ShelfApi & OAuthApi {
  const nothing = () => Promise.reject(new ToolError('not_found', 'There is nothing here'))
  return {
    offer: () => ({ tools: [], find: () => undefined }),
    watchOffers: () => () => undefined,
    listPrompts: async () => ({ items: [] }),
    getPrompt: nothing,
    listResources: async () => ({ items: [] }),
    listResourceTemplates: async () => ({ items: [] }),
    readResource: nothing,
    completeArgument: nothing,
    watchResources: () => () => undefined,
    tokenTerms: () => ({ issuers: [], scopes: ['tools.call'], requiredScopes: [] }),
  }
}
