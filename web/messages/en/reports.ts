/** Photos that guests reported, and what the owner decides; promises T41. */
export const reports = {
  heading: 'Reported photos',
  lead: 'A hidden photo is gone for guests at once: from its codes, its pages and the links in letters. You still see it, and you can show it again.',
  reasons: {
    me: 'It shows me and I do not want that',
    child: 'It shows a child',
    hurtful: 'It is hurtful',
    illegal: 'It is against the law',
    other: 'Another reason',
  },
  badges: { open: 'To decide', hide: 'Hidden from guests', keep: 'Shown' },
  inGallery: 'in the gallery',
  label: (name: string) => `Reports about ${name}`,
  more: (count: number) => (count === 1 ? '1 more report' : `${count} more reports`),
  hide: 'Hide from guests',
  keep: 'Keep it shown',
  show: 'Show again',
  done: {
    hide: 'Hidden. Guests cannot open it any more.',
    keep: 'Guests can open it. Its reports are closed.',
  },
  sure: {
    title: 'Show this photo again?',
    question: 'Its codes, pages and letters will give it to guests again.',
    confirm: 'Show again',
  },
  decided: (count: number) => (count === 1 ? '1 photo decided' : `${count} photos decided`),
  errors: { decide: 'Your decision could not be saved. Please try again.' },
}
