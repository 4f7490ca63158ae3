/** What the row of a photo shows. */
export interface RowView {
  sentence: string
  tone?: 'ok' | 'bad'
  /** How much was sent, 0 to 1; null unless it is being sent. */
  share: number | null
  mayRetry: boolean
  /** `remove`: at once. `take back`: after a question. Null: it cannot be removed. */
  removal: 'remove' | 'take back' | null
}

export type Row = ReturnType<ReturnType<typeof createList>['add']>

/** Previews that exist at the same time: each holds its whole file. */
const maxPreviews = 30

/** The list of a guest's photos; `template` has a row. */
export function createList(list: HTMLElement, template: HTMLTemplateElement) {
  let previewCount = 0
  let loading = Promise.resolve()
  return {
    first: (): Element | null => list.firstElementChild,
    add(name: string, before: Element | null) {
      const element = template.content.firstElementChild!.cloneNode(true) as HTMLElement // of the template
      const get = (selector: string): HTMLElement => element.querySelector<HTMLElement>(selector)! // in the template
      const thumbnail = get('.add__thumb')
      const bar = get('progress') as HTMLProgressElement // by this selector
      const sentence = get('.add__state > span')
      const retryButton = get('[data-retry]')
      const removeButton = get('[data-remove]')
      const question = get('.add__ask')
      let removal: RowView['removal'] = null
      let previewUrl = ''
      let shownPath = ''
      let shown = ''
      let remove = (): void => {}
      get('.add__name').textContent = name
      bar.setAttribute('aria-label', name)
      retryButton.setAttribute('aria-label', `${retryButton.textContent} (${name})`)
      list.insertBefore(element, before)

      const dropPreview = (): void => {
        if (!previewUrl) return
        URL.revokeObjectURL(previewUrl)
        previewUrl = ''
        previewCount -= 1
      }
      const showPicture = (url: string): Promise<void> =>
        new Promise((resolve) => {
          const image = new Image()
          image.alt = ''
          image.decoding = 'async'
          image.addEventListener('load', () => {
            const before = thumbnail.querySelector('img')
            if (before) before.remove()
            thumbnail.appendChild(image)
            resolve()
          })
          // A format that this browser does not show: the icon stays.
          image.addEventListener('error', () => resolve())
          image.src = url
        })
      const ask = (isAsked: boolean): void => {
        question.hidden = !isAsked
        removeButton.hidden = isAsked || removal === null
        ;(isAsked ? get('[data-yes]') : removeButton).focus()
      }
      removeButton.addEventListener('click', () => (removal === 'take back' ? ask(true) : remove()))
      get('[data-yes]').addEventListener('click', () => remove())
      get('[data-no]').addEventListener('click', () => ask(false))

      return {
        show(view: RowView): void {
          const key = JSON.stringify(view)
          if (key === shown) return
          shown = key
          sentence.textContent = view.sentence
          element.dataset['tone'] = view.tone || ''
          bar.hidden = view.share === null
          bar.value = view.share || 0
          retryButton.hidden = !view.mayRetry
          removal = view.removal
          if (!removal) question.hidden = true
          removeButton.hidden = !removal || !question.hidden
          const label = removal === 'take back' ? removeButton.dataset['takeBack'] : removeButton.dataset['remove']
          removeButton.setAttribute('aria-label', `${label || ''} (${name})`)
        },
        /** The photo stays. */
        endQuestion: () => ask(false),
        /** The file itself, one after another, because each is decoded. */
        preview(file: Blob): void {
          if (previewCount >= maxPreviews) return
          previewCount += 1
          loading = loading.then(() => {
            if (shownPath || !element.parentNode) return void (previewCount -= 1)
            previewUrl = URL.createObjectURL(file)
            return showPicture(previewUrl)
          })
        },
        /** The thumbnail of the server, in place of the file. */
        showThumbnail(path: string): void {
          if (path === shownPath) return
          shownPath = path
          void showPicture(path).then(dropPreview)
        },
        onRetry: (action: () => void) => retryButton.addEventListener('click', action),
        onRemove: (action: () => void) => void (remove = action),
        remove(): void {
          const next = (element.nextElementSibling || element.previousElementSibling) as HTMLElement | null // a row
          const hadFocus = element.contains(document.activeElement)
          dropPreview()
          element.remove()
          const target = next && next.querySelector<HTMLElement>('button:not([hidden])')
          if (hadFocus) (target || document.getElementById('add-heading')!).focus()
        },
      }
    },
  }
}
