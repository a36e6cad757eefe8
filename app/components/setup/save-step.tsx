import { Icon, InlineStack, Link, Spinner, Text } from "../../polaris/polaris.ts";
import { AlertCircleIcon, CheckCircleIcon } from "../../polaris/icons.ts";
import { useTranslation } from "react-i18next";
import type { SetupPlace, SetupView } from "../../views/setup.ts";
import { StateBadge } from "../origins/state-badge.tsx";
import { SetupStep } from "./setup-step.tsx";

/** What goes by itself: each confirmed location, until it is saved in the account, and what the carriers say of it. */
export function SaveStep({ view, alone }: { view: SetupView; alone: boolean }) {
  const { t } = useTranslation("home");
  const { places, counts, done, step } = view;
  const more = counts.confirmed - places.length;
  const state = done.save ? "done" : step === "save" ? "open" : "later";
  const title = t(`setup.save.${done.save ? "done" : "title"}${alone ? "One" : ""}`);
  return (
    <SetupStep title={title} state={state}>
      {places.length > 0 && (
        <>
          {!alone && !done.save && (
            <Text as="p">{t("setup.save.count", { saved: counts.saved, total: counts.total })}</Text>
          )}
          <ul className="origen-list">
            {places.map((place) => (
              <Place key={place.legacyId} place={place} alone={alone} moves={step !== "connect"} />
            ))}
          </ul>
          {more > 0 && <Link url="/app/origins">{t("setup.save.more", { count: more })}</Link>}
          {view.verifies && step !== "finished" && step !== "connect" && (
            <Text as="p" tone="subdued">
              {t("setup.save.verifies")}
            </Text>
          )}
        </>
      )}
    </SetupStep>
  );
}

function Place({ place, alone, moves }: { place: SetupPlace; alone: boolean; moves: boolean }) {
  const { t } = useTranslation("home");
  const isCurrent = place.saved === "as_it_is";
  return (
    <li className="origen-row">
      <InlineStack gap="200" wrap={false} blockAlign="center">
        <PlaceMark place={place} moves={moves} />
        {alone ? (
          <Text as="span">{place.name}</Text>
        ) : (
          <Link removeUnderline url={`/app/origins/${place.legacyId}`}>
            {place.name}
          </Link>
        )}
      </InlineStack>
      <div className="setup-standing">
        {isCurrent && !alone && (
          <Text as="span" tone="success">
            {t("setup.save.saved")}
          </Text>
        )}
        {place.saved === "before" && place.attention === "itself" && !alone && (
          <Text as="span">{t("setup.save.changes")}</Text>
        )}
        {!(isCurrent && place.standings.every(({ chosen }) => !chosen)) && <StateBadge known={place} />}
      </div>
    </li>
  );
}

function PlaceMark({ place: { saved, attention }, moves }: { place: SetupPlace; moves: boolean }) {
  const { t } = useTranslation("home");
  return (
    <span className="setup-mark">
      {saved === "as_it_is" ? (
        <Icon source={CheckCircleIcon} tone="success" accessibilityLabel={t("setup.done")} />
      ) : attention === "yours" ? (
        <Icon source={AlertCircleIcon} tone="caution" accessibilityLabel={t("setup.open")} />
      ) : moves && attention === "itself" ? (
        <Spinner size="small" accessibilityLabel={t("setup.save.saving")} />
      ) : (
        <span className="origen-ring">
          <span className="origen-visually-hidden">{t("setup.open")}</span>
        </span>
      )}
    </span>
  );
}
