#pragma once

#include "../scratch.h"
