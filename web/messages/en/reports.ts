/** Photos that guests reported, and the owner's decision; docs/security.md T41. */
export const reports = {
  heading: 'Reported photos',
  lead: 'Guests lose access to a hidden photo immediately: its codes, pages and email links stop working. You still see it, and you can show it again.',
  reasons: {
    me: 'I’m in it and don’t want it shown',
    child: 'It shows a child',
    hurtful: 'It is hurtful',
    illegal: 'It may be illegal',
    other: 'Another reason',
  },
  badges: { open: 'Needs review', hide: 'Hidden from guests', keep: 'Visible', operator: 'Hidden by the operator' },
  inGallery: 'in the gallery',
  label: (name: string) => `Reports about ${name}`,
  more: (count: number) => (count === 1 ? '1 more report' : `${count} more reports`),
  hide: 'Hide from guests',
  keep: 'Keep visible',
  show: 'Show again',
  /** Of a photo that the operator of the site hid. */
  mistake: 'If you think that this is a mistake:',
  support: 'Contact support',
  undo: 'Undo',
  done: {
    hide: 'Hidden. Guests can no longer open it.',
    keep: 'Guests can open it. Its reports are closed.',
    undo: 'Guests can open it again. It still needs your review.',
    staysHidden: 'It stays hidden from guests.',
  },
  notice: {
    label: 'Reported photos',
    heading: 'A guest reported this photo',
    more: (photos: number) => (photos === 1 ? 'and 1 more photo' : `and ${photos} more photos`),
    review: 'Review',
    dismiss: 'Later',
  },
  sign: (photos: number) => (photos === 1 ? '1 photo reported' : `${photos} photos reported`),
  confirmShow: {
    title: 'Show this photo again?',
    question: 'Guests will be able to open it again through its codes, pages and emails.',
    confirm: 'Show again',
  },
  reviewed: (count: number) => (count === 1 ? '1 photo reviewed' : `${count} photos reviewed`),
  errors: {
    decide: 'Your decision couldn’t be saved. Please try again.',
    undo: 'This couldn’t be undone. Please try again.',
  },
}
