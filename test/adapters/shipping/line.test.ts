import { createBottleneckLine } from "../../../app/adapters/shipping/budget.ts";
import { lineContract } from "../../contracts/line.ts";
import { createSemaphoreLine } from "../../fakes/semaphore-line.ts";

lineContract("production's, on Bottleneck", createBottleneckLine);
lineContract("the simulation's, on semaphores alone", createSemaphoreLine);
