/** One file on its way, as the server would see it. */
export interface SentFile {
  method: string
  address: string
  progress(part: number): void
  answer(status: number, body: unknown): void
  isAborted(): boolean
}

/** Takes the place of the server that files are sent to, while the work runs. */
export async function withUploads(work: (sent: SentFile[]) => Promise<void>): Promise<void> {
  const sent: SentFile[] = []
  class FakeRequest extends EventTarget {
    upload = new EventTarget()
    status = 0
    responseText = ''
    method = ''
    address = ''
    open(method: string, address: string) {
      Object.assign(this, { method, address })
    }
    setRequestHeader() {}
    send() {
      let isAborted = false
      this.addEventListener('abort', () => (isAborted = true))
      sent.push({
        method: this.method,
        address: this.address,
        progress: (part) => {
          const facts = { loaded: part * 100, total: 100, lengthComputable: true }
          this.upload.dispatchEvent(new ProgressEvent('progress', facts))
        },
        answer: (status, body) => {
          this.status = status
          this.responseText = JSON.stringify(body)
          this.dispatchEvent(new Event('load'))
        },
        isAborted: () => isAborted,
      })
    }
    abort() {
      this.dispatchEvent(new Event('abort'))
    }
  }
  const real = window.XMLHttpRequest
  window.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest
  try {
    await work(sent)
  } finally {
    window.XMLHttpRequest = real
  }
}
