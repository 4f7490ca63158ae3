import type * as english from '../en/withdrawal-emails.ts'

/** L’accusé de réception d’une rétractation. Il répète ce qui a été écrit, comme la loi le veut. */
export const withdrawalEmails: typeof english.withdrawalEmails = {
  subject: 'Votre rétractation du contrat',
  preview: (when) => `Faite le ${when}.`,
  lead: (host, when) =>
    `Le ${when}, vous avez renoncé à un contrat sur ${host}. Cet e-mail est votre accusé de réception ; conservez-le.`,
  declared: 'Ce qui a été déclaré',
  declaration: 'Je renonce à ce contrat.',
  labels: { name: 'Nom', email: 'E-mail', contract: 'Contrat', made: 'Faite le' },
  accepted: (plan) =>
    `${plan} a pris fin, et ce que vous avez payé pour ce contrat vous est remboursé par le moyen de paiement que vous avez utilisé. Un autre e-mail indique le montant.`,
  acceptedPlan: 'Votre formule',
  link: (plan, concluded) =>
    `Nous avons trouvé ce contrat : ${plan}, conclu le ${concluded}. Appuyez sur le bouton et confirmez sur la page qui s’ouvre : la formule prend fin et votre argent vous est remboursé aussitôt.`,
  linkOr: (date) =>
    `Sinon, nous le faisons nous-mêmes, au plus tard le ${date}. Votre rétractation compte à partir du moment où vous l’avez faite.`,
  unmatched:
    'Aucun contrat en cours n’a été trouvé avec cette adresse e-mail. Si votre compte utilise une autre adresse, ou si vous pensez à un contrat déjà terminé, répondez à cet e-mail ou écrivez à l’assistance : nous le chercherons.',
  late: (plan, concluded, until) =>
    `Nous avons trouvé ce contrat : ${plan}, conclu le ${concluded}. Le délai de rétractation était écoulé le ${until}, donc la formule continue.`,
  lateAdvice: (days) =>
    `Vous pouvez peut-être encore être remboursé : dans les ${days} jours suivant votre premier paiement, une fois par compte, dans les paramètres. Nous examinons aussi votre rétractation et vous écrirons si elle compte malgré tout.`,
  closed:
    'Nous avons examiné cette rétractation, et il n’y a plus rien à faire. Si vous pensez que c’est une erreur, répondez à cet e-mail ou écrivez à l’assistance.',
  looking:
    'Nous cherchons votre contrat. Un autre e-mail suivra et dira ce que nous avons trouvé. Votre rétractation compte à partir du moment où vous l’avez faite.',
  button: 'Terminer et être remboursé',
  reason: (host) =>
    `Vous recevez cet e-mail parce que cette adresse a été indiquée dans une rétractation sur ${host}. Si ce n’était pas vous, vous pouvez l’ignorer.`,
}

/** La page du lien de cet accusé de réception. */
export const withdrawalLink: typeof english.withdrawalLink = {
  title: 'Votre rétractation',
  description: 'Terminez votre rétractation d’un contrat.',
  ask: {
    heading: (plan) => `Mettre fin à ${plan} et être remboursé ?`,
    lead: (when) => `Vous avez renoncé à ce contrat le ${when}.`,
    effect:
      'La formule prend fin aussitôt, et ce que vous avez payé pour ce contrat vous est remboursé par le moyen de paiement que vous avez utilisé. Votre compte reste, avec la formule Free.',
    button: 'Terminer et être remboursé',
  },
  accepted: {
    heading: (plan) => `${plan} prend fin`,
    lead: 'Votre remboursement est en route. Cela peut prendre un moment ; vous n’avez rien à faire.',
  },
  done: {
    heading: (plan) => `${plan} a pris fin`,
    refunded: (amount) => `Nous avons remboursé ${amount}. Votre banque peut mettre quelques jours à l’afficher.`,
    nothing: 'Il ne restait rien à rembourser.',
  },
  closed: {
    heading: 'Il n’y a rien à faire',
    lead: 'Cette rétractation est close. Si vous pensez que c’est une erreur, écrivez à l’assistance.',
  },
  gone: {
    heading: 'Ce lien n’est pas valide',
    advice:
      'Il en manque peut-être une partie, ou il est trop ancien. Ouvrez-le à nouveau depuis l’e-mail, ou écrivez à l’assistance.',
  },
  support: 'Contacter l’assistance',
}
