import { createBottleneckLine } from "../../../app/adapters/shipping/budget.ts";
import { lineContract } from "../../contracts/line.ts";
import { createGatesLine } from "../../fakes/gates-line.ts";

lineContract("production's, on Bottleneck", createBottleneckLine);
lineContract("the simulation's, on gates alone", createGatesLine);
