import { FAILING_STATES } from "./failing-states.ts";
import { inAHurry, MERIDA, MONTERREY, NO_PHONE, places, ROMA, TLAQUEPAQUE } from "./places.ts";
import type { State } from "./state.ts";

/**
 * One table of the states in which a store may be. `npm run pictures` opens every page in each of them. A state is a store of its own in
 * one sandbox, so that none disturbs another; it is brought about as it comes about in life: in Shopify, in the account, on the line.
 */

export const STATES: Record<string, State> = {
  empty: { is: "a new store without a location", locations: [], from: "installed" },
  new: { is: "a new store with six locations, nothing connected", locations: places(6), from: "installed" },
  "to-review": {
    is: "connected; six locations to review, two of which lack something",
    locations: places(6).map((place, index) => (index % 3 === 1 ? inAHurry(place, index) : place)),
    from: "connected",
    about: MONTERREY,
  },
  one: { is: "one location, saved and verified", locations: places(1), from: "saved" },
  six: { is: "six locations, saved and verified", locations: places(6), from: "saved" },
  waiting: {
    is: "carriers have not answered; whether a change arrived is not known yet",
    locations: places(6),
    from: "saved",
    isNew: true,
    async bring(store) {
      await store.askCarriers(ROMA);
      store.loseAnswers(MONTERREY);
      store.moveTo(MONTERREY, { zip: "66267" });
      await store.until("a change whose answer was lost", async () => (await store.origin(MONTERREY)).pending);
    },
  },
  refused: {
    is: "a carrier refuses one address, the service another one's field",
    locations: places(6),
    from: "saved",
    about: MERIDA,
    async bring(store) {
      store.carrierSays(MERIDA, "dhl", "rejected");
      store.carrierSays(MERIDA, "estafeta", "under_observation");
      store.serviceRefuses(TLAQUEPAQUE, { phone: [NO_PHONE] });
      store.moveTo(TLAQUEPAQUE, { phone: "+52 33 3615 0000" });
      await store.until("the refusal", async () => (await store.origin(TLAQUEPAQUE)).refusal !== null);
      await store.lookAgain();
      await store.untilState(MERIDA, (state) => state !== "ready");
    },
  },
  drift: {
    is: "somebody changed an address in the account",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.editThere(MONTERREY, { reference: "Entrada por el callejón", phone: "8181818181" });
      await store.lookAgain();
      await store.untilState(MONTERREY, (_state, { differences }) => differences.length > 0);
    },
  },
  destination: {
    is: "somebody made an address a destination in the account, and no labels can be created from it",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.makeDestination(MONTERREY);
      await store.lookAgain();
      await store.untilState(MONTERREY, (_state, { differences }) => differences.length > 0);
    },
  },
  conflict: {
    is: "the same field was changed in the account and in Shopify",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.editThere(MONTERREY, { postal_code: "66266" });
      store.moveTo(MONTERREY, { zip: "66268" });
      await store.untilState(MONTERREY, (_state, { differences }) => differences.length > 0);
    },
  },
  gone: {
    is: "a template was deleted in the account; one location was deactivated, another deleted in Shopify",
    locations: places(6),
    from: "saved",
    about: ROMA,
    async bring(store) {
      store.deleteThere(ROMA);
      store.deactivate(MERIDA);
      store.deleteInShopify(TLAQUEPAQUE);
      await store.until("the deletion in the account", async () => {
        await store.lookAgain();
        return (await store.origin(ROMA)).missingSinceMs !== null;
      });
      await store.until("the deactivated location", async () => (await store.origin(MERIDA)).exclusion !== null);
    },
  },
  moved: {
    is: "an address changed in Shopify in a way that its owner must confirm; another location is paused, one was left out",
    locations: places(6),
    from: "saved",
    about: ROMA,
    async bring(store) {
      store.moveTo(ROMA, { address1: "Reforma 222-4", address2: "Plaza Azul, Juárez" });
      await store.untilState(ROMA, (state) => state === "incomplete");
      await store.ask(MONTERREY, { intent: "pause" });
    },
  },
  behind: {
    is: "Shopify has told of a new address, and still shows the one before",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.tellsOnly(MONTERREY);
      await store.until(
        "the newer address, awaited",
        async () => (await store.origin(MONTERREY)).reasonCode === "location_behind",
      );
    },
  },
  ...FAILING_STATES,
  closed: {
    is: "the account was disconnected",
    locations: places(6),
    from: "saved",
    bring: (store) => store.disconnect(),
  },
  offline: {
    is: "the service does not answer, and a change waits for it",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.silence();
      store.moveTo(MONTERREY, { zip: "66267" });
      await store.untilHealth("failing");
    },
  },
  "credentials-refused": {
    is: "the service refuses the credentials, and a change waits",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.refuseCredentials();
      store.moveTo(MONTERREY, { zip: "66267" });
      await store.untilHealth("invalid");
    },
  },
  "sixty-to-review": {
    is: "connected; sixty locations to review, of which the account knows forty and twenty lack something",
    locations: places(60).map((place, index) => (index % 3 === 0 ? inAHurry(place, index) : place)),
    from: "connected",
    about: MONTERREY,
    async bring(store) {
      for (const [index, { name }] of store.locations().entries()) if (index % 3 !== 0) store.makeThere(name);
      await store.lookAgain();
      await store.until("the proposals", async () =>
        (await store.review()).rows.some((row) => row.proposals.length > 0),
      );
    },
  },
  sixty: { is: "sixty locations, saved and verified", locations: places(60), from: "saved" },
};
