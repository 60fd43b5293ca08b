import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { usePollMs } from '../../live/use-live.ts'

export type AskedQuestion = Api<'Question'>

/** The lists of the screen: those this person may answer, all open ones, and those that have ended. */
export type QuestionList = 'mine' | 'all' | 'ended'

const pageSize = 50

/** Open questions are listed oldest first, so that none is forgotten; others newest first. */
export function useQuestions(list: QuestionList) {
  const refetchInterval = usePollMs()
  return useInfiniteQuery({
    queryKey: ['questions', 'list', list],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/questions', {
          params: {
            query: {
              limit: pageSize,
              ...(list !== 'ended' && { status: 'pending' as const, order: 'oldest' as const }),
              ...(list === 'mine' && { mine: 'true' as const }),
              ...(pageParam !== '' && { after: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}

/** One question, polled while someone else may answer it. */
export function useQuestion(id: string | undefined, known?: AskedQuestion) {
  const refetchInterval = usePollMs()
  return useQuery({
    queryKey: ['questions', 'one', id],
    queryFn: () => read(api.GET('/api/v1/questions/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
    retry: false,
    refetchInterval,
    ...(known !== undefined && { placeholderData: known }),
  })
}

/** The question that a call asks, if this person may see it. */
export function useQuestionOfCall(call: string | undefined) {
  return useQuery({
    queryKey: ['questions', 'of-call', call],
    queryFn: () => read(api.GET('/api/v1/questions', { params: { query: { call: call ?? '' } } })),
    enabled: call !== undefined,
    select: ({ items }) => items[0],
  }).data
}

/** An answer, or a refusal with its reason. */
export type Reply = { answer: JsonValue } | { decline: string }

/** Sends an answer or a refusal, and shows the result at once. */
export function useReply({ id }: Pick<AskedQuestion, 'id'>) {
  const queryClient = useQueryClient()
  const params = { path: { id } }
  return useMutation({
    mutationFn: (reply: Reply) =>
      'answer' in reply
        ? read(api.POST('/api/v1/questions/{id}/answer', { params, body: { input: reply.answer } }))
        : read(
            api.POST('/api/v1/questions/{id}/decline', {
              params,
              body: reply.decline === '' ? {} : { reason: reply.decline },
            }),
          ),
    onSuccess: (ended) => queryClient.setQueryData(['questions', 'one', id], ended),
    onSettled: () => {
      for (const kind of ['questions', 'conversations', 'calls', 'call']) {
        void queryClient.invalidateQueries({ queryKey: [kind] })
      }
    },
  })
}
