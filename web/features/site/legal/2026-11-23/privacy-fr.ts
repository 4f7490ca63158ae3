import { paths } from '../../../../lib/paths.ts'
import type { LegalBlock, LegalContext, LegalSection, LegalText } from '../legal-text.ts'
import { type DeviceKey, deviceKeys, recordIds } from './inventory.ts'
import { deviceStorage, records } from './privacy-records-fr.ts'

const places: Record<(typeof deviceKeys)[DeviceKey], string> = {
  browser: 'stockage local',
  database: 'IndexedDB',
  cookie: 'cookie',
  tab: 'stockage de session',
}

const who: LegalSection = {
  id: 'who',
  title: 'Qui nous sommes',
  blocks: () => [
    'Ce site est exploité par l’entreprise ci-dessous (« nous »). Elle est le responsable du traitement pour les comptes, les paiements, les signalements d’invités et ce site web.',
    { operator: { name: 'Entreprise', address: 'Adresse', vat: 'Numéro de TVA', email: 'E-mail' } },
    `**Photos et invités.** La personne qui ajoute une photo (« le propriétaire » : photographe, salle, hôte) décide pourquoi elle est prise et qui la reçoit. Pour les photos, et pour les adresses des invités qui en demandent une, le propriétaire est le responsable du traitement et nous sommes le sous-traitant : nous les conservons et les envoyons pour son compte, comme le disent les [conditions générales](${paths.terms}). Vous pouvez toujours nous écrire ; nous transmettons au propriétaire ce que lui seul peut décider.`,
    'Nous n’avons pas de délégué à la protection des données, car la loi n’en exige pas ici. Vous pouvez poser vos questions sur vos données à l’adresse ci-dessus.',
  ],
}

const what: LegalSection = {
  id: 'what',
  title: 'Ce que nous conservons, pourquoi et combien de temps',
  blocks: (context) => {
    const rows = records(context)
    return [
      'Chaque ligne indique ce qui est conservé, pourquoi et sur quelle base juridique du RGPD, et combien de temps. Vous fournissez ces données vous-même, ou elles naissent de l’utilisation du service ; nous n’achetons pas de données et n’en prenons pas ailleurs. Sans adresse e-mail ni mot de passe, il n’y a pas de compte ; sans adresse, nous ne pouvons pas envoyer de photo. Le reste dépend de vous.',
      {
        table: {
          caption: 'Ce que nous conservons, pourquoi et combien de temps',
          head: ['Quoi', 'Pourquoi', 'Combien de temps'],
          rows: recordIds.map((id) => rows[id]),
        },
      },
      'Aucun visage n’est recherché dans les photos. Aucune machine ne prend de décision au sujet d’une personne, et aucun profil n’est établi de qui que ce soit.',
      'Un compte fermé par un exploitant ne peut plus être utilisé, et ses photos ne peuvent plus être ouvertes par d’autres. Rien n’est supprimé pour autant ; vous pouvez nous demander vos données, ou leur suppression.',
    ]
  },
}

const guests: LegalSection = {
  id: 'guests',
  title: 'Si vous êtes un invité',
  blocks: ({ values: v }) => [
    '**Vous n’avez pas besoin de compte** pour ouvrir une photo. Nous comptons qu’une photo a été ouverte, et non qui l’a ouverte. Les pages des invités ne stockent rien sur votre appareil.',
    `**Si vous laissez votre adresse e-mail**, elle sert à vous envoyer cette photo, et à rien d’autre : pas de nouvelles, pas de liste pour des tiers. Le propriétaire de la photo voit votre adresse à côté de la photo et peut télécharger cette liste. L’e-mail contient un lien valable ${v.grantHours} heures, et la photo elle-même si elle pèse moins de ${v.attachMb} Mo. Une même adresse reçoit au plus ${v.emailsPerHour} de ces e-mails par heure et ${v.emailsPerDay} par jour. Après ${v.requestDays} jours, l’adresse est supprimée ici.`,
    '**Quelqu’un d’autre a saisi votre adresse ?** Chaque e-mail contient un lien qui arrête tous les e-mails avec photos de ce site, quel que soit le propriétaire. Le même lien permet de revenir en arrière. Il vaut aussi retrait de votre consentement ; ce qui a été envoyé jusque-là reste licite.',
    '**Vous figurez sur une photo et vous ne le voulez pas ?** Choisissez « Signaler cette photo » sur sa page et dites pourquoi. Le propriétaire en est informé aussitôt, peut masquer la photo pour tout le monde et ne sait pas qui l’a signalée. Nous voyons aussi les photos signalées et les masquons lorsque la loi ou les conditions générales l’exigent. Si vous n’avez pas de lien vers la photo, écrivez-nous.',
    '**Enfants.** Les comptes sont réservés aux adultes, ou supposent l’autorisation d’un parent. Toute personne peut signaler une photo qui montre un enfant, avec un motif prévu à cet effet ; les parents peuvent aussi nous écrire.',
  ],
}

const device: LegalSection = {
  id: 'device',
  title: 'Cookies et stockage sur votre appareil',
  blocks: (context) => [
    'Ce dont les pages ont besoin pour fonctionner est stocké sur votre appareil sans demande préalable, comme la loi le permet. Cela y reste : seuls le jeton de session et la langue nous sont envoyés.',
    {
      table: {
        caption: 'Ce qui est stocké sur votre appareil',
        head: ['Nom', 'Finalité', 'Jusqu’à quand'],
        rows: Object.entries(deviceKeys).map(([key, place]) => [
          `${key} (${places[place]})`,
          ...deviceStorage(context)[key as DeviceKey], // the keys of the record's type
        ]),
      },
    },
    ...analytics(context.site),
  ],
}

const analytics = ({ analytics: provider, storage_host: store }: LegalContext['site']): LegalBlock[] => {
  const elsewhere = store === null ? '' : ', sauf des photos provenant du stockage que cite la [section](#others)'
  if (provider === null)
    return [
      `**Mesure d’audience.** Ce site n’a pas de mesure d’audience : aucun programme qui compte les visites n’est chargé, quel que soit votre choix dans le bandeau des cookies. Les pages ne chargent rien d’autres entreprises${elsewhere}.`,
    ]
  const flag =
    provider.provider === 'plausible'
      ? ' ; lorsqu’il est en pause, la marque plausible_ignore se trouve un instant dans le stockage local'
      : ''
  const [name, more] =
    provider.provider === 'matomo' ? ['Matomo', ', la taille de votre écran et votre heure locale'] : ['Plausible', '']
  return [
    `**Mesure d’audience, uniquement avec votre consentement.** Si vous autorisez la mesure d’audience dans le bandeau des cookies, le programme ${name} est chargé depuis ${provider.host}. Il apprend quelle page vous ouvrez (sans paramètres ni identifiants), de quel site vous venez${more}, et ce que dit toute requête : adresse IP, navigateur et langue. Nous y voyons combien de personnes lisent quelle page. Il ne dépose pas de cookies${flag}. Avant votre accord, rien n’en est chargé. Vous pouvez retirer votre consentement tout aussi facilement, avec le bouton des cookies au bas des pages ; le programme est alors retiré. Les pages des invités et les grands écrans n’ont pas de mesure d’audience. Les pages ne chargent rien d’autre d’autres entreprises${elsewhere}.`,
  ]
}

const others: LegalSection = {
  id: 'others',
  title: 'Qui d’autre reçoit des données',
  blocks: ({ site, values: v }) => [
    'Nous ne vendons pas de données et n’affichons pas de publicité. Des données sont transmises :',
    {
      list: [
        '**Aux propriétaires des photos** : l’adresse, la photo et l’heure d’une demande, ainsi que les signalements, sans votre nom.',
        '**Aux personnes qui ont un code ou un lien** vers une photo : elles voient cette photo, comme le veut son propriétaire.',
        '**À l’entreprise qui héberge notre serveur**, si ce n’est pas la nôtre : tout ce qui est stocké, pour faire fonctionner les machines.',
        site.storage_host === null
          ? '**Les photos** sont des fichiers sur ce serveur.'
          : `**Au stockage des photos** sur ${site.storage_host} : photos, miniatures, logos et exports. Votre navigateur y récupère les photos, avec une adresse valable ${v.presignedSeconds} secondes ; le stockage voit donc votre adresse IP.`,
        site.emails === 'smtp'
          ? '**À notre service de messagerie et à celui du destinataire** : les e-mails que nous envoyons.'
          : '**Les e-mails** ne sont pas envoyés pour le moment : ils sont conservés comme fichiers sur notre serveur, jusqu’à leur suppression, comme le dit le tableau de la [section](#what).',
        {
          stripe:
            '**À Stripe**, notre prestataire de paiement (pour l’Europe : Stripe Payments Europe, Ltd., Irlande) : votre adresse e-mail, le numéro de votre compte et ce que vous saisissez sur sa page de paiement. Stripe est lui-même responsable du traitement pour ce qu’il doit vérifier et conserver, et peut aussi traiter des données aux États-Unis, sous le cadre de protection des données UE-États-Unis (EU-US Data Privacy Framework) et des clauses contractuelles types. [Politique de confidentialité de Stripe](https://stripe.com/privacy).',
          demo: '**Les paiements** sont ici une démonstration : aucun paiement réel, et aucune donnée n’est transmise à un prestataire de paiement.',
          off: '**Les paiements** : aucune formule n’est vendue ici, donc aucune donnée n’est transmise à un prestataire de paiement.',
        }[site.payments],
        ...(site.analytics === null
          ? []
          : [
              `**À ${site.analytics.host}**, où les visites sont comptées : ce que dit la [section](#device), si vous avez donné votre accord.`,
            ]),
        '**Aux programmes qu’un propriétaire connecte** avec une clé d’API ou un webhook : les photos, les noms de fichiers et les heures de ce propriétaire ; jamais l’adresse d’un invité par webhook.',
        '**Aux autorités et aux tribunaux**, lorsqu’une loi nous y oblige.',
      ],
    },
    'Les entreprises qui travaillent pour nous le font sur la base d’un contrat et selon nos instructions. Lorsque des données quittent l’Espace économique européen, c’est uniquement avec une garantie que prévoit le RGPD ; demandez-nous laquelle.',
  ],
}

const safety: LegalSection = {
  id: 'safety',
  title: 'Comment les données sont protégées',
  blocks: () => [
    'Les mots de passe, jetons de session, clés d’API et liens sont stockés sous forme d’empreintes, et les secrets des webhooks sont chiffrés. Les codes et identifiants sont aléatoires et longs. Le réglage d’e-mail et le choix de masquer une photo en ferment aussitôt tous les accès. Les fichiers d’image sont ouverts dans un processus isolé. Ce que les exploitants font avec les comptes est consigné (voir le tableau ci-dessus). Si un incident touche vos données et présente un risque pour vous, nous vous en informons, ainsi que l’autorité, comme la loi l’exige.',
  ],
}

const rights: LegalSection = {
  id: 'rights',
  title: 'Vos droits',
  blocks: ({ values: v }) => [
    'Vous pouvez gratuitement :',
    {
      list: [
        `**Consulter et emporter** vos données : « Exporter mes données » dans les [Paramètres](${paths.settings}) crée un seul fichier qui contient tout ; son lien fonctionne ${v.exportDays} jours.`,
        `Les **rectifier** : dans les [Paramètres](${paths.settings}).`,
        `Les **supprimer** : photo par photo, ou tout avec « Supprimer mon compte » dans les [Paramètres](${paths.settings}). Le compte, ses photos et ses demandes disparaissent aussitôt ; une tâche supprime ensuite les fichiers.`,
        `**Retirer votre consentement** : pour les e-mails de nouvelles et d’offres dans les [Paramètres](${paths.settings}) (aucun n’est envoyé pour le moment), pour les e-mails avec photos par le lien que chacun contient.`,
        '**Vous opposer** à ce que nous faisons sur la base d’un intérêt légitime, ou nous demander de le **limiter** : écrivez-nous et dites pourquoi.',
      ],
    },
    {
      contact: 'operator',
      before: 'Les invités et toute autre personne écrivent à',
      after:
        'Nous répondons dans un délai d’un mois. Nous pouvons demander un élément qui montre que les données sont les vôtres, par exemple un e-mail envoyé depuis cette adresse.',
    },
    '**Réclamations.** Vous pouvez introduire une réclamation auprès de l’Autorité de protection des données (Gegevensbeschermingsautoriteit), rue de la Presse 35, 1000 Bruxelles, [www.autoriteprotectiondonnees.be](https://www.autoriteprotectiondonnees.be), contact@apd-gba.be, ou auprès de l’autorité du pays où vous habitez ou travaillez. Vous pouvez aussi saisir les tribunaux.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Modifications',
  blocks: ({ values: v }) => [
    `Une nouvelle version est publiée sur cette page au moins ${v.noticeDays} jours avant de s’appliquer, avec ce qui change ; plus tôt seulement si la loi l’exige. Les versions antérieures restent lisibles ci-dessous.`,
  ],
}

/** La politique de confidentialité en français, une traduction. */
export const text: LegalText = {
  translation:
    'Ce texte est une traduction. Seuls les textes néerlandais et anglais de la politique de confidentialité font foi ; en cas de différence, ce sont eux qui s’appliquent.',
  summary: ({ values: v }) => [
    'Nous conservons ce qu’il faut pour qu’une photo parvienne à la personne qui y figure, et rien de plus.',
    `L’adresse d’un invité sert à envoyer la photo demandée et est supprimée après ${v.requestDays} jours.`,
    'Pas de publicité, pas de vente de données, pas de reconnaissance faciale, pas de profilage.',
    'Vous pouvez emporter toutes vos données ou les supprimer vous-même, dans les Paramètres.',
  ],
  sections: [who, what, guests, device, others, safety, rights, changes],
}
