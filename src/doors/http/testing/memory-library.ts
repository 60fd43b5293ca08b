import type { CoreApi } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { OfferApi } from '../../../core/offer/tool-offer.ts'
import type { OAuthApi } from '../../../core/oauth/oauth-api.ts'
import type { ChatDoor } from '../../../core/conversations/conversation-api.ts'
import type { LibraryApi } from '../../../core/library/library-api.ts'

/** A crib that offers nothing and has nothing on its library. */
export function memoryLibrary(): OfferApi &
  LibraryApi &
  ChatDoor &
  OAuthApi &
  Pick<CoreApi, 'ask'> {
  const nothing = () => Promise.reject(new ToolError('not_found', 'There is nothing here'))
  return {
    offer: () => ({ tools: [], mode: 'list', find: () => undefined }),
    assertAgent: async () => undefined,
    ask: async () => undefined,
    watchOffers: () => () => undefined,
    listPrompts: async () => ({ items: [] }),
    getPrompt: nothing,
    listResources: async () => ({ items: [] }),
    listResourceTemplates: async () => ({ items: [] }),
    readResource: nothing,
    completeArgument: nothing,
    watchResources: () => () => undefined,
    watchResource: async () => undefined,
    tokenTerms: () => ({
      issuers: [],
      scopes: ['tools.call'],
      requiredScopes: [],
      callScopes: ['tools.call'],
    }),
    chat: nothing,
    resumeChat: async () => undefined,
  }
}
